// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Real resolvers, asking our DNS64.
    @Suite struct ResolverTests {
        private static let server = "@2e00:2:0:1::1"
        private static let world = Binaries.root.appending(path: "fixtures/worlds/resolvers.yaml").path

        private func ask(_ command: String...) throws -> Output {
            let output = try run([Binaries.ipv6check, "--world", Self.world, "--getaddrinfo", "linux", "--"] + command)
            expectPass(output)
            return output
        }

        /// The status, flags and records in dig's output.
        private func dig(_ arguments: String...) throws -> (
            status: String, flags: [String], records: [String], all: String
        ) {
            let output = try run([Binaries.ipv6check, "--world", Self.world, "--", "dig", Self.server] + arguments)
            expectPass(output)
            let lines = output.text.split(separator: "\n").map(String.init)
            let header = lines.first { $0.hasPrefix(";; flags:") } ?? ""
            return (
                String(output.text.firstMatch(of: #/status: (\w+)/#)?.1 ?? ""),
                (header.firstMatch(of: #/flags: ([a-z ]*);/#)?.1 ?? "").split(separator: " ").map(String.init),
                lines.filter { !$0.hasPrefix(";") }.map {
                    $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                },
                output.text
            )
        }

        // MARK: dig

        @Test func `dig sees the record it wants and its TTL`() throws {
            let answer = try dig("www.shop.test", "AAAA")
            #expect(answer.status == "NOERROR" && answer.flags == ["qr", "rd", "ra"])
            #expect(
                answer.records == [
                    "www.shop.test. 300 IN CNAME shop.test.", "shop.test. 300 IN AAAA 64:ff9b::c633:640a",
                ])
            #expect(try dig("host.old.test", "AAAA").records.first == "old.test. 300 IN DNAME shop.test.")
            #expect(try dig("dual.test", "AAAA").records == ["dual.test. 300 IN AAAA 2e00:2:0:cafe::11"])
            #expect(try dig("loop.test", "AAAA").status == "SERVFAIL")
            #expect(try dig("none.test", "AAAA").status == "NXDOMAIN")
        }

        @Test func `dig over TCP asks twice on one connection`() throws {
            let answer = try dig("+tcp", "+keepopen", "shop.test", "AAAA", "dual.test", "AAAA")
            #expect(answer.records.count == 2 && answer.all.components(separatedBy: "(TCP)").count == 3)
        }

        @Test func `dig takes the whole of a large answer over TCP`() throws {
            #expect(try dig("+bufsize=512", "+ignore", "large.test", "TXT").flags.contains("tc"))
            let whole = try dig("+bufsize=512", "large.test", "TXT")
            #expect(whole.records.count == 7 && whole.all.contains("Truncated, retrying in TCP mode"))
            #expect(try dig("+bufsize=4096", "+ignore", "large.test", "TXT").flags.contains("tc"), "1,232 is our most")
        }

        @Test func `dig without EDNS gets none`() throws {
            #expect(try !dig("+noedns", "shop.test", "AAAA").all.contains("OPT PSEUDOSECTION"))
        }

        @Test func `dig without recursion gets what the world knows and referrals`() throws {
            let known = try dig("+norec", "shop.test", "AAAA")
            #expect(known.records == ["shop.test. 300 IN AAAA 64:ff9b::c633:640a"] && known.flags == ["qr", "ra"])
            let referral = try dig("+norec", "+noedns", "www.plain.signed.test", "A")
            #expect(
                referral.records == [
                    "plain.signed.test. 300 IN NS ns.plain.signed.test.",
                    "ns.plain.signed.test. 300 IN A 198.51.100.67",
                ])
            #expect(try dig("www.plain.signed.test", "A").status == "SERVFAIL")
        }

        @Test func `dig asks in reverse`() throws {
            #expect(
                try dig("-x", "64:ff9b::c633:640a").records == [
                    "a.0.4.6.3.3.6.c.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.b.9.f.f.4.6.0.0.ip6.arpa. 300 IN CNAME"
                        + " 10.100.51.198.in-addr.arpa.",
                    "10.100.51.198.in-addr.arpa. 300 IN PTR shop.test.",
                ])
            #expect(try dig("-x", "198.51.100.10").records == ["10.100.51.198.in-addr.arpa. 300 IN PTR shop.test."])
            let ofHost = try dig("-x", "2e00:2:0:cafe::11").records
            #expect(ofHost.count == 1 && ofHost[0].hasSuffix(".ip6.arpa. 300 IN PTR dual.test."))
            #expect(try dig("-x", "2e00:2:0:cafe::12").status == "NXDOMAIN")
        }

        @Test func `dig from a given address is answered`() throws {
            #expect(try dig("-b", "2e00:2:0:1::c0:100", "shop.test", "AAAA").records.count == 1)
        }

        /// RFC 6147 §5.5.
        @Test func `dig with DO has synthesis and with CD too the proof that there is no AAAA`() throws {
            let synthesised = try dig("+dnssec", "v4.signed.test", "AAAA")
            #expect(synthesised.records == ["v4.signed.test. 60 IN AAAA 64:ff9b::c633:643d"])
            #expect(synthesised.flags == ["qr", "rd", "ra"])
            let proof = try dig("+dnssec", "+cd", "v4.signed.test", "AAAA")
            #expect(proof.flags == ["qr", "rd", "ra", "cd"])
            #expect(proof.records.contains("v4.signed.test. 60 IN NSEC *.wild.signed.test. A RRSIG NSEC"))
            #expect(try dig("+cd", "v4.signed.test", "AAAA").records.count == 1)
            let signed = try dig("+dnssec", "v4.signed.test", "A")
            #expect(signed.records.count == 2 && signed.records[1].contains("RRSIG A 13 3 300"))
        }

        /// libunbound validates before anything is synthesised.
        @Test func `a validating DNS64 tells what is authentic`() throws {
            let world = Binaries.root.appending(path: "fixtures/worlds/validating.yaml").path
            func dig(_ arguments: String...) throws -> String {
                try run([Binaries.ipv6check, "--world", world, "--", "dig", Self.server] + arguments).text
            }
            #expect(try dig("+dnssec", "v4.signed.test", "A").contains("flags: qr rd ra ad;"))
            let synthesised = try dig("+dnssec", "v4.signed.test", "AAAA")
            #expect(synthesised.contains("64:ff9b::c633:643d") && synthesised.contains("flags: qr rd ra ad;"))
            let broken = try dig("broken.signed.test", "AAAA")
            #expect(broken.contains("status: SERVFAIL") && broken.contains("EDE: 6 (DNSSEC Bogus)"))
            #expect(try dig("+short", "shop.test", "AAAA") == "64:ff9b::c633:640a\n")
            expectPass(try run([Binaries.ipv6check, "--world", world, "--", "curl", "-fsS", "http://v4.signed.test/"]))
        }

        // MARK: delv

        /// The output of delv on an answer, with the trust anchor of fixtures/zones.
        private func delv(_ arguments: String...) throws -> String {
            let anchor = Binaries.root.appending(path: "fixtures/zones/signed.test.anchor").path
            let output = try run(
                [
                    Binaries.ipv6check, "--world", Self.world, "--", "delv", Self.server, "-a", anchor,
                    "+root=signed.test",
                ]
                    + arguments)
            return output.text + output.standardError
        }

        @Test(arguments: [
            "v4.signed.test", "www.signed.test", "x.wild.signed.test", "host.old.signed.test", "v4.child.signed.test",
            "x.wild.child.signed.test",
        ])
        func `delv validates data`(_ name: String) throws {
            let said = try delv(name, "A")
            #expect(said.contains("; fully validated") && !said.contains("unsigned"), Comment(rawValue: said))
        }

        @Test(arguments: [
            // NSEC
            "none.signed.test A", "a.b.none.signed.test A", "deep.signed.test A", "v4.signed.test TXT",
            "x.wild.signed.test MX", "plain.signed.test DS",
            // NSEC3
            "none.child.signed.test A", "a.b.none.child.signed.test A", "deep.child.signed.test A",
            "v4.child.signed.test TXT", "x.wild.child.signed.test MX",
        ])
        func `delv validates absence`(_ question: String) throws {
            let words = question.split(separator: " ").map(String.init)
            let said = try delv(words[0], words[1])
            #expect(said.contains("negative response, fully validated"), Comment(rawValue: said))
        }

        @Test func `delv is not deceived`() throws {
            #expect(try delv("broken.signed.test", "A").contains("no valid signature found"))
            // delv cannot validate a synthesised answer; with CD it gets an answer that it can validate, and would synthesise itself.
            #expect(try delv("v4.signed.test", "AAAA").contains("insecurity proof failed"))
            #expect(try delv("+cdflag", "v4.signed.test", "AAAA").contains("negative response, fully validated"))
            let leaving = try delv("out.signed.test", "A")
            #expect(leaving.contains("; fully validated") && leaving.contains("; unsigned answer"))
        }

        // MARK: Others

        @Test func `drill gets the right answers`() throws {
            #expect(try ask("drill", Self.server, "AAAA", "shop.test").text.contains("64:ff9b::c633:640a"))
            #expect(try ask("drill", "-t", Self.server, "AAAA", "shop.test").text.contains("64:ff9b::c633:640a"))
            #expect(try ask("drill", Self.server, "-x", "64:ff9b::c633:640a").text.contains("PTR\tshop.test."))
            let signed = try ask("drill", "-D", Self.server, "A", "v4.child.signed.test").text
            #expect(signed.contains("RRSIG\tA 13"))
            #expect(try ask("drill", "-o", "CD", "-D", Self.server, "AAAA", "v4.signed.test").text.contains("NSEC"))
        }

        @Test func `dnspython gets the right answers`() throws {
            let program = """
                import dns.rdatatype, dns.resolver, dns.reversename, dns.message, dns.query, dns.flags
                print(*dns.resolver.resolve("www.shop.test", "AAAA"))
                print(dns.resolver.resolve("www.shop.test", "AAAA").canonical_name)
                print(*dns.resolver.resolve_address("64:ff9b::c633:640a"))
                print(*dns.resolver.resolve("service.test", "HTTPS"))
                for name, error in ("none.test", dns.resolver.NXDOMAIN), ("mail.test", dns.resolver.NoAnswer):
                    try: dns.resolver.resolve(name, "AAAA")
                    except error as e: print(type(e).__name__)
                query = dns.message.make_query("v4.signed.test", "AAAA", want_dnssec=True)
                query.flags |= dns.flags.CD
                for ask in dns.query.udp, dns.query.tcp:
                    reply = ask(query, "2e00:2:0:1::1")
                    print(len(reply.answer), sorted({dns.rdatatype.to_text(s.rdtype) for s in reply.authority}))
                """
            #expect(
                try ask("/usr/bin/python3", "-c", program).text == """
                    64:ff9b::c633:640a
                    shop.test.
                    shop.test.
                    1 . ipv4hint="198.51.100.10"
                    NXDOMAIN
                    NoAnswer
                    0 ['NSEC', 'RRSIG', 'SOA']
                    0 ['NSEC', 'RRSIG', 'SOA']

                    """)
        }

        @Test(arguments: ["cc", "musl-gcc"]) func `a C library's stub gets the right answers`(_ compiler: String) throws
        {
            let program = try build("resolve", compiler: compiler)
            let output = try ask(program, "www.shop.test", "dual.test", "none.test")
            let lines = Set(output.text.split(separator: "\n"))
            // Both C libraries ask for A as well; the order is from RFC 6724, not from the DNS64.
            #expect(
                lines.isSuperset(of: [
                    "www.shop.test: 64:ff9b::c633:640a", "dual.test: 2e00:2:0:cafe::11", "none.test: EAI_NONAME",
                ]))
            #expect(!output.text.contains("64:ff9b::c633:640b"), "dual.test has an AAAA record of its own")
        }

        @Test func `c-ares gets the right answers`() throws {
            let program = try build("resolve_cares", compiler: "cc", "-lcares")
            #expect(
                try ask(program, "www.shop.test", "dual.test", "none.test").text == """
                    www.shop.test: 64:ff9b::c633:640a
                    dual.test: 2e00:2:0:cafe::11
                    none.test: Domain name not found

                    """)
        }

        private func build(_ name: String, compiler: String, _ options: String...) throws -> String {
            let product = Binaries.scratch.appending(path: "\(name)-\(compiler)").path
            let source = Binaries.root.appending(path: "fixtures/clients/\(name).c").path
            let build = try run([compiler, "-std=gnu11", "-Wall", "-Werror", "-o", product, source] + options)
            try #require(build.status == 0, Comment(rawValue: build.standardError))
            return product
        }
    }
}
