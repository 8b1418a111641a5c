// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Each rule with its sample client, as on the pages of docs/rules.
    @Suite struct RuleTests {
        private struct Report: Decodable {
            struct Finding: Decodable, Equatable {
                var rule: String
                var severity: String
            }
            var findings: [Finding]
        }

        /// Runs a version of the client on the network that it needs.
        private func check(_ client: SampleClient, works: Bool) throws -> (Output, [Report.Finding]) {
            // The client's name may include a folder.
            let name = client.name.replacingOccurrences(of: "/", with: "-")
            let json = Binaries.scratch.appending(path: "\(name)-\(works).json")
            let daemon = try client.daemon.map {
                try RunningDaemon(options: ["--config", Binaries.root.appending(path: $0).path])
            }
            defer { daemon?.end() }
            let server = try client.machineServer.map { try Process.start($0) }
            defer { server?.endAtOnce() }
            if server != nil {
                let listens = "for i in $(seq 200); do nc -z 127.0.0.1 \(client.port) && exit; sleep 0.05; done; exit 1"
                try run(["sh", "-c", listens]).successful()
            }
            let options = client.options.map {
                $0.hasPrefix("fixtures/") ? Binaries.root.appending(path: $0).path : $0
            }
            let attached = daemon.map { ["--simulator", "unix:\($0.folder.path)/attach.sock"] } ?? []
            let command = try client.command(works: works, node: works ? client.healthyNode : nil)
            let output = try run(
                [Binaries.ipv6check, "--json", json.path] + options + attached + ["--"] + command,
                environment: client.environment(works: works))
            return (output, try JSONDecoder().decode(Report.self, from: Data(contentsOf: json)).findings)
        }

        @Test(arguments: SampleClient.all)
        func `a client with a mistake meets its rule and no other`(_ client: SampleClient) throws {
            let (output, findings) = try check(client, works: false)
            #expect(output.status == client.status, Comment(rawValue: output.standardError))
            #expect(findings == [Report.Finding(rule: client.rule, severity: client.severity)])
        }

        @Test(arguments: SampleClient.all)
        func `the client without the mistake passes without a finding`(_ client: SampleClient) throws {
            let (output, findings) = try check(client, works: true)
            expectPass(output)
            #expect(output.text == "hello\n")
            #expect(findings.isEmpty, Comment(rawValue: output.standardError))
        }
    }
}

/// Pages and clients match each other.
@Suite struct RuleClientTests {
    /// The rules of servers under test have other tests (`CanaryTests`, `ListenTests`).
    private let serverRules: Set = ["V6C-097", "V6C-102"]

    private func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: Binaries.root.appending(path: folder).path)
    }

    @Test func `every page has a client`() throws {
        let pages = try names(in: "docs/rules").filter { $0.hasPrefix("V6C-") }.map { String($0.dropLast(3)) }
        // Rules of scans (V6C-06x) have no sample client.
        let others = pages.filter { !$0.hasPrefix("V6C-06") && !serverRules.contains($0) }
        #expect(Set(SampleClient.all.map(\.rule)) == Set(others))
    }

    @Test func `every client that names a rule is on its page`() throws {
        let naming = try names(in: "fixtures/clients").compactMap { file -> String? in
            guard file.hasSuffix(".c") || file.hasSuffix(".py") else { return nil }
            let source = Binaries.root.appending(path: "fixtures/clients/\(file)")
            let rule = try String(contentsOf: source, encoding: .utf8).prefixMatch(of: #/(?://|#) (V6C-[0-9]+):/#)
            return rule.map { "\(file) \($0.1)" }
        }
        // The clients in folders have marked lines instead (`MarkedClientTests`).
        let shown = SampleClient.all.filter { !$0.file.contains("/") }
        // A page may run a client in two ways.
        #expect(
            naming.filter { !serverRules.contains(String($0.suffix(7))) }.sorted()
                == Set(shown.map { "\($0.file) \($0.rule)" }).sorted())
    }

    @Test(arguments: SampleClient.inC) func `a page says how to build its client`(_ client: SampleClient) throws {
        let page = Binaries.root.appending(path: "docs/rules/\(client.rule).md")
        let command = "\n    cc -o \(client.name) fixtures/clients/\(client.file)\n"
        #expect(try String(contentsOf: page, encoding: .utf8).contains(command))
    }
}
