// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// HTTPS to an address: mistakes that fail on every network, and so cannot be in a suite, and the report on the connection.
    @Suite struct IPDirectTests {
        struct Mistake: CustomTestStringConvertible, Sendable {
            /// The words that run or build the file.
            var builder: [String]
            var file: String
            var arguments: [String]
            var rule = "V6C-080"
            /// The report's text on the connection's TLS.
            var told: String

            var testDescription: String { "\(file) \(arguments.last ?? "")" }
        }

        private static let curl = ["cc", "-g", "-std=gnu11", "-lcurl"]
        private static let openSSL = ["cc", "-g", "-std=gnu11", "-lssl", "-lcrypto"]

        static let mistakes = [
            Mistake(
                builder: ["python3"], file: "ip_direct.py", arguments: ["198.51.100.42", "www.tls.test", "sni"],
                told: "without a server name, was shown a certificate for first.tls.test, and closed the connection"),
            Mistake(
                builder: ["python3"], file: "ip_direct.py", arguments: ["198.51.100.42", "www.tls.test", "verify"],
                told: "without a server name, was shown a certificate for first.tls.test, and refused it"),
            Mistake(
                builder: curl, file: "ip_direct_curl.c", arguments: ["198.51.100.42", "www.tls.test", "url"],
                told: "without a server name, was shown a certificate for first.tls.test, and closed the connection"),
            Mistake(
                builder: openSSL, file: "ip_direct_openssl.c", arguments: ["198.51.100.42", "www.tls.test", "sni"],
                told: "without a server name, was shown a certificate for first.tls.test, and refused it"),
            Mistake(
                builder: openSSL, file: "ip_direct_openssl.c", arguments: ["198.51.100.42", "www.tls.test", "address"],
                told: "without a server name, was shown a certificate for first.tls.test, and refused it"),
            Mistake(
                builder: openSSL, file: "ip_direct_openssl.c", arguments: ["198.51.100.43", "ip.tls.test", "sni"],
                rule: "", told: ""),
        ]

        private static let folder = Binaries.root.appending(path: "fixtures/clients/mobile")

        private func command(_ mistake: Mistake) throws -> [String] {
            let source = Self.folder.appending(path: mistake.file).path
            guard mistake.builder[0] == "cc" else { return mistake.builder + [source] + mistake.arguments }
            let product = Binaries.directory.appending(path: "direct-\(mistake.file)-\(UUID())").path
            let build = try run([mistake.builder[0], "-o", product, source] + mistake.builder.dropFirst())
            try #require(build.status == 0, build.told)
            return [product] + mistake.arguments
        }

        private struct Report: Decodable {
            struct Finding: Decodable { var rule: String }
            struct Lookup: Decodable {
                var by: String
                var node: String?
                var program: String?
            }
            struct TLS: Decodable {
                var serverName: String?
                var end: String
            }
            struct Hello: Decodable {
                var serverName: String?
                var applicationProtocols: [String]
                var count: Int
            }
            struct Connection: Decodable {
                var lookup: Lookup?
                var tls: TLS?
            }
            struct Flow: Decodable {
                var lookup: Lookup?
                var tls: [Hello]?
            }
            struct Run: Decodable {
                var connections: [Connection]?
                var flows: [Flow]
            }
            var findings: [Finding]
            var runs: [Run]
        }

        /// - Parameter options: options of ipv6check.
        private func check(_ command: [String], options: [String] = []) throws -> (Output, Report) {
            let json = Binaries.scratch.appending(path: "direct-\(UUID()).json")
            let world = Binaries.root.appending(path: "fixtures/clients/world.yaml").path
            let output = try run(
                [Binaries.ipv6check, "--json", json.path, "--world", world] + options + ["--"] + command)
            return (output, try JSONDecoder().decode(Report.self, from: Data(contentsOf: json)))
        }

        @Test(arguments: mistakes) func `a mistake that fails everywhere is named`(_ mistake: Mistake) throws {
            let (output, report) = try check(try command(mistake), options: ["--getaddrinfo", "apple"])
            // A host that is alone at its address shows its certificate to a client without a server name, too.
            if mistake.rule.isEmpty { return expectPass(output) }
            #expect(output.status == 3, output.told)
            #expect(report.findings.map(\.rule) == [mistake.rule], output.told)
            #expect(output.standardError.contains(mistake.told), output.told)
            let connection = try #require(report.runs[0].connections?.first)
            #expect(connection.tls?.serverName == nil && connection.tls != nil)
            // The literal is resolved by getaddrinfo.
            #expect(connection.lookup?.by == "getaddrinfo" && connection.lookup?.node == "198.51.100.42", output.told)
            #expect(report.runs[0].flows.first?.tls?.map(\.serverName) == [nil], output.told)
            #expect(output.standardError.contains("TLS without a server name"), output.told)
        }

        @Test func `URLSession that refuses the brackets of a URL is told as what is known of it`() throws {
            let product = Binaries.directory.appending(path: "url_loading").path
            let source = Self.folder.appending(path: "url_loading.swift").path
            let build = try run(["swiftc", "-parse-as-library", "-o", product, source], seconds: 300)
            try #require(build.status == 0, build.told)
            let note = "swift-corelibs-foundation #5496"
            let (refused, report) = try check([product, "http://[2e00:2:0:cafe::7]:7/"])
            #expect(report.findings.map(\.rule) == ["V6C-033"], refused.told)
            #expect(refused.standardError.contains(note), refused.told)
            // Not for another client that refuses such an address, nor for URLSession with a name.
            let pattern = Self.folder.deletingLastPathComponent().appending(path: "address_pattern.py").path
            let (other, _) = try check(["python3", pattern, "2e00:2:0:cafe::7", "7"])
            #expect(other.standardError.contains("V6C-033") && !other.standardError.contains(note), other.told)
            let (named, _) = try check([product, "http://site.tls.test/echo"])
            expectPass(named)
            #expect(!named.standardError.contains(note))
        }

        @Test func `who looked a host up, and what the client named in TLS, is told`() throws {
            let url = "https://www.tls.test/"
            let (named, report) = try check(["curl", "-fsS", "--http2", url, url], options: ["--verbose"])
            expectPass(named)
            let run = report.runs[0]
            #expect(run.flows.first?.tls?.map(\.serverName) == ["www.tls.test"], named.told)
            #expect(run.flows.first?.tls?.map(\.applicationProtocols) == [["h2", "http/1.1"]])
            #expect(run.flows.first?.lookup?.by == "getaddrinfo" && run.flows.first?.lookup?.program == "curl")
            #expect(run.connections?.first?.lookup?.node == "www.tls.test")
            let row = try #require(named.standardError.split(separator: "\n").first { $0.contains("  servers ") })
            #expect(
                row.contains(
                    #/198\.51\.100\.42:443 \(www\.tls\.test, looked up by curl\)  TLS for www\.tls\.test, h2, in [0-9]+ ms  HTTP\/2  GET www\.tls\.test\/ 200 in /#
                ), named.told)

            let client = Self.folder.appending(path: "doh.py").path
            let (told, other) = try check(["python3", client, "2e00:2:0:cafe::53", "both.test", "7", "ipv6"])
            expectPass(told)
            let lookups = other.runs[0].flows.map(\.lookup)
            #expect(lookups.map { $0?.by } == [nil, "doh"] && lookups.last??.node == "both.test", told.told)
        }
    }
}
