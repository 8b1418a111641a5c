// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// A page with parts on IPv4-only, dual-stack and IPv6-only hosts.
    @Suite(.enabled(if: missingBrowsers.isEmpty, "needs \(missingBrowsers.joined(separator: ", "))"))
    struct BrowserTests {
        private struct Report: Decodable {
            struct Finding: Decodable { var rule: String }
            struct Run: Decodable {
                struct Connection: Decodable {
                    struct Request: Decodable {
                        var host: String
                        var path: String
                        var status: Int
                    }
                    struct TLS: Decodable { var serverName: String? }
                    var address: String
                    var requests: [Request]
                    var tls: TLS?
                }
                struct Flow: Decodable {
                    var name: String?
                    var translatedTo: String?
                }
                var connections: [Connection]
                var flows: [Flow]
            }
            var findings: [Finding]
            var runs: [Run]
        }

        private let clients = Binaries.root.appending(path: "fixtures/clients/browsers")

        /// Runs `body` with a temporary home folder.
        private func withHome<Value>(_ body: (URL) throws -> Value) throws -> Value {
            let home = Binaries.scratch.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(
                at: home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o777])
            defer { try? FileManager.default.removeItem(at: home) }
            return try body(home)
        }

        @Test(arguments: User.available, ["chromedriver.py", "bidi.py"])
        func `a browser loads a page from all of its hosts, and nothing is found`(user: User, driver: String) throws {
            try withHome { home in
                let json = home.appending(path: "report.json")
                let output = try run(
                    [
                        "env", "HOME=\(home.path)", Binaries.ipv6check, "--trace", "always", "--json", json.path,
                        "--world",
                        clients.appending(path: "world.yaml").path, "--", "/usr/bin/python3",
                        clients.appending(path: driver).path, "https://www.site.test/",
                    ], as: user)
                expectPass(output)
                #expect(output.text == "loaded style script image by h2\n")
                let report = try JSONDecoder().decode(Report.self, from: Data(contentsOf: json))
                #expect(report.findings.map(\.rule) == [])
                let run = try #require(report.runs.first)

                var served: [String: String] = [:]
                for connection in run.connections {
                    for request in connection.requests where request.status == 200 {
                        served[request.host + request.path] = connection.address
                        #expect(connection.tls?.serverName == request.host)
                    }
                }
                #expect(
                    served == [
                        "www.site.test/": "198.51.100.70", "www.site.test/part.css": "198.51.100.70",
                        "both.site.test/part.js": "2e00:2:0:cafe::71", "six.site.test/part.svg": "2e00:2:0:cafe::72",
                    ])
                let translated = Dictionary(
                    run.flows.map { ($0.name ?? "", $0.translatedTo ?? "") }, uniquingKeysWith: { first, _ in first })
                #expect(
                    translated == ["www.site.test": "198.51.100.70", "both.site.test": "", "six.site.test": ""])
            }
        }

        /// Chromium keeps its own sandbox, in user namespaces nested in ours; as root it has none.
        @Test(arguments: User.available) func `Chromium prints a page by its command line`(user: User) throws {
            try withHome { home in
                let output = try run(
                    [
                        "env", "HOME=\(home.path)", Binaries.ipv6check, "--once", "--", "chromium", "--headless",
                        user == .root ? "--no-sandbox" : "--user-data-dir=\(home.path)/profile", "--dump-dom",
                        "https://shop.test/",
                    ], as: user)
                expectPass(output)
                #expect(output.text.contains("reached:   shop.test"), output.told)
            }
        }

        @Test func `what shows the test CA to browsers does not stay`() throws {
            for folder in ["/etc/chromium", "/usr/lib/firefox-esr"] {
                let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
                #expect(!files.isEmpty)
                #expect(files.filter { $0.contains("ipv6check") || $0.hasSuffix("policies.json") } == [])
            }
        }
    }
}

private let missingBrowsers = ["chromium", "chromedriver", "firefox-esr"].filter { !isInstalled($0) }
