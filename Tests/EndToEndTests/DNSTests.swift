// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The effects of a `dns64` section and of faults on a client, and the scenarios over real sockets.
    @Suite struct DNSTests {
        private func world(_ section: String, named name: String) throws -> String {
            let file = Binaries.scratch.appending(path: name)
            let text = """
                version: 1
                hosts:
                  shop.test: { addresses: [198.51.100.10], services: [http] }
                  high.test: { addresses: [203.0.113.200], services: [http] }
                dns64:
                \(section)

                """
            try Data(text.utf8).write(to: file)
            return file.path
        }

        @Test func `every prefix of the section is translated`() throws {
            let path = try world(
                "  clauses: [64:ff9b::/96, 2001:db8:64::/64]\n  ipv4-ranges: { 203.0.113.0/24: 2001:db8:b::/96 }",
                named: "prefixes.yaml")
            let shop = try ipv6check("--world", path, "dig", "+short", "AAAA", "shop.test")
            #expect(shop.text == "64:ff9b::c633:640a\n2001:db8:64:0:c6:3364:a00:0\n")
            for address in ["64:ff9b::c633:640a", "2001:db8:64:0:c6:3364:a00:0"] {
                expectPass(try ipv6check("--world", path, "curl", "-fsSg", "http://[\(address)]/"))
            }
            let high = try ipv6check("--world", path, "curl", "-fsS", "http://high.test/")
            expectPass(high)
            #expect(high.standardError.contains("2001:db8:b::cb00:71c8 → 203.0.113.200"))
        }

        @Test func `the prefix of the command line takes the place of the section's`() throws {
            let path = try world(
                "  clauses: [2001:db8:64::/64]\n  ipv4-ranges: { 203.0.113.0/24: none }", named: "precedence.yaml")
            let output = try ipv6check(
                "--world", path, "--prefix", "2001:db8:a::/96", "curl", "-fsS", "http://high.test/")
            expectPass(output)
            #expect(output.standardError.contains("2001:db8:a::cb00:71c8 → 203.0.113.200"))
        }

        @Test func `a fault is ordered in the file or on the command line and shown`() throws {
            let path = try world("  faults: [shop.test AAAA ttl 7]", named: "faults.yaml")
            let report = Binaries.scratch.appending(path: "faults.json")
            let output = try ipv6check(
                "--verbose", "--world", path, "--dns-fault", "high.test rcode NXDOMAIN", "--json", report.path, "--",
                "sh",
                "-c", "dig +noall +answer AAAA shop.test; dig AAAA high.test | grep -c NXDOMAIN")
            expectPass(output)
            #expect(output.text.contains("\t7\tIN\tAAAA\t64:ff9b::c633:640a\n1\n"))
            #expect(output.standardError.contains("world, RFC 6147 §5.1.6, fault: ttl 7"))
            #expect(output.standardError.contains("fault: rcode NXDOMAIN"))
            let json = try #require(
                JSONSerialization.jsonObject(with: Data(contentsOf: report)) as? [String: Any])
            let runs = try #require(json["runs"] as? [[String: Any]])
            let queries = try #require(runs[0]["queries"] as? [[String: Any]])
            #expect(queries.map { $0["faults"] as? [String] } == [["ttl 7"], ["rcode NXDOMAIN"]])
            #expect(queries.allSatisfy { ($0["flags"] as? [String])?.first == "rd" && $0["answeredFrom"] is String })
        }

        @Test func `a mistake in the section is pointed at`() throws {
            let path = try world("  profil: rfc", named: "mistake.yaml")
            let output = try ipv6check("--world", path, "true")
            #expect(output.status == 2)
            #expect(
                output.standardError == "ipv6check: \(path):6:3: unknown key \"profil\" (did you mean \"profile\"?)\n")
            let fault = try ipv6check("--dns-fault", "shop.test AAA drop", "true")
            #expect(fault.status == 2 && fault.standardError.hasPrefix("ipv6check: --dns-fault: \"AAA\""))
        }

        @Test func `the scenarios go as they say where their addresses are this machine's`() throws {
            let folder = Binaries.root.appending(path: "fixtures/dns64")
            let scenarios = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
                .filter { $0.pathExtension == "scenario" }.map(\.path).sorted()
            // In a network namespace of its own, with every address of the scenarios on its loopback.
            let addresses = Set(
                try scenarios.flatMap { path in
                    try String(contentsOfFile: path, encoding: .utf8).matches(of: /\+from=([0-9a-f.:]+)/).map {
                        String($0.output.1)
                    }
                }
            ).union(["2e00:2:0:1::2"]).sorted()
            let add = addresses.map { "ip addr add \($0)\($0.contains(":") ? "/128 nodad" : "/32") dev lo" }
            let output = try run(
                [
                    "unshare", "--user", "--map-root-user", "--net", "sh", "-c",
                    (["ip link set lo up"] + add).joined(separator: " && ") + " && exec \"$@\"", "sh",
                    Binaries.nat64sim,
                    "dns64-check", "--timeout", "1",
                ] + scenarios)
            #expect(output.status == 0, Comment(rawValue: output.text + output.standardError))
            let skipped = output.text.split(separator: "\n").filter { $0.hasPrefix("skip") }
            let reasons = ["its forwarders are played by the scenario", "time passes in it"]
            #expect(
                skipped.allSatisfy { line in reasons.contains { line.hasSuffix($0) } }, Comment(rawValue: output.text))
        }
    }
}
