import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Each rule with its sample client, as the pages of docs/rules have it.
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
            let json = Binaries.scratch.appending(path: "\(client.name)-\(works).json")
            let daemon = try client.daemon.map {
                try RunningDaemon(options: ["--config", Binaries.root.appending(path: $0).path])
            }
            defer { daemon?.end() }
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

/// What the pages say of their clients.
@Suite struct RulePageCommandTests {
    @Test func `every client that names a rule is run`() throws {
        let folder = Binaries.root.appending(path: "fixtures/clients")
        let naming = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { file in
            guard file.hasSuffix(".c") || file.hasSuffix(".py") else { return false }
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            return text.prefix { $0 != "\n" }.contains(" V6C-")
        }
        #expect(naming.sorted() == SampleClient.all.map(\.file).sorted())
    }

    @Test(arguments: SampleClient.all) func `a page says how to run its client`(_ client: SampleClient) throws {
        let page = try String(
            contentsOf: Binaries.root.appending(path: "docs/rules/\(client.rule).md"), encoding: .utf8)
        #expect(page.contains(client.file))
        // One of several clients is shown in full.
        guard SampleClient.all.first(where: { $0.rule == client.rule })?.file == client.file else { return }
        let program = client.isInC ? "./\(client.name)" : "python3 fixtures/clients/\(client.file)"
        let network = client.daemon == nil ? client.options : ["--simulator", "unix:/tmp/sockets/attach.sock"]
        let command = (["ipv6check"] + network + [program, client.node, "\(client.port)"]).joined(separator: " ")
        #expect(page.contains("\n    \(command)\n"))
        if client.isInC { #expect(page.contains("\n    cc -o \(client.name) fixtures/clients/\(client.file)\n")) }
        if let daemon = client.daemon { #expect(page.contains("\n    nat64sim serve --config \(daemon) --sockets ")) }
    }
}
