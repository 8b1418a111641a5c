// SPDX-License-Identifier: Apache-2.0
import Foundation
import Scenarios
import ConfigurationText
import Testing
import TestSupport

@Suite("Scenarios")
struct ScenarioTests {
    @Test(arguments: try ScenarioFile.all())
    func `every exchange goes as its scenario says`(file: ScenarioFile) throws {
        let outcome = try file.play()
        #expect(outcome.checks > 0 && outcome.unseen == 0)
    }

    @Test
    func `a scenario that expects something else fails, with file and line`() throws {
        let text = """
            network:
                clauses: [64:ff9b::/96]
            world:
                shop.test. A 198.51.100.10
            query: shop.test A
            reply: NOERROR qr rd ra
                shop.test. A 198.51.100.11
            """
        let file = try ScenarioFile(name: "wrong.scenario", text: text)
        let failure = try #require(throws: ScenarioFile.Failure.self) {
            try file.play()
        }
        #expect(failure.description.hasPrefix("wrong.scenario:6: the section is different"))
    }

    @Test
    func `a setting of a network that there is not is told with its line`() throws {
        let text = """
            title: settings
            ; a comment
            network:

                exempt-ipv4: [198.51.100.0/24]
                clauses:
                  - { prefix: 64:ff9b::/96, client: [any] }
                limits: { cache: 1 }
            query: shop.test A
            reply: NOERROR qr rd ra
            """
        let file = try ScenarioFile(name: "wrong.scenario", text: text)
        let failure = try #require(throws: YAMLFileError.self) { try file.play() }
        let lines = "\(failure)".split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first == "wrong.scenario:7:33: unknown key \"client\" (did you mean \"clients\"?)")
        #expect(lines.last?.hasPrefix("wrong.scenario:8:5: unknown key \"limits\"") == true)
    }

    @Test
    func `what a running server cannot play is told from what it can, with the reason`() throws {
        func obstacle(_ lines: String) throws -> String? {
            try ScenarioFile(name: "s", text: lines).obstacle { "\($0)" == "::1" }
        }
        #expect(try obstacle("query: +from=::1 a.test A\nreply: none") == nil)
        #expect(try obstacle("network: any\nquery: a.test A\nreply: none") == nil)
        #expect(
            try obstacle("network: 2001:2::/32\nquery: a.test A")?.hasPrefix("it asks from 2e00:2:0:1::2") == true)
        #expect(try obstacle("query: a.test A\nwait: 1") == "time passes in it")
        #expect(try obstacle("forwarders: 192.0.2.1") == "its forwarders are played by the scenario")
        #expect(
            try obstacle("query: +from=2001:db8::1 a.test A")
                == "it asks from 2001:db8::1, which is no address of this machine, or of another family than the server's"
        )
    }
}

extension ScenarioFile {
    /// All scenarios in `fixtures/dns64`.
    static func all() throws -> [ScenarioFile] {
        let directory = URL(filePath: projectRoot).appending(path: "fixtures/dns64")
        let files = try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
        return try files.filter { $0.pathExtension == "scenario" }.sorted { $0.path < $1.path }.map {
            try ScenarioFile(name: $0.lastPathComponent, text: String(contentsOf: $0, encoding: .utf8))
        }
    }
}

extension ScenarioFile: CustomTestStringConvertible {
    public var testDescription: String { name }
}
