// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import Foundation
import Suites
import Testing

@testable import SuiteRunner

@Suite struct SchemaLineTests {
    @Test func `a new suite file names the schema that is installed`() {
        #expect(EditorSchema.line(for: "/a/s.json") == "# yaml-language-server: $schema=/a/s.json\n")
        #expect(EditorSchema.line(for: nil) == "")
        #expect(EditorSchema.line(for: "/a b/s.json") == "")
    }

    @Test func `the first suite begins with it and can be read`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).yaml").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try FirstSuite.write(to: path)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.hasPrefix(EditorSchema.line + "version: 1\n"))
        #expect(try Suite(yaml: Array(text.utf8), name: "f", rules: []).tests.map(\.name) == ["fetch"])
    }

    @Test func `a test is added to a file with that line`() throws {
        let text = EditorSchema.line(for: "/a/s.json") + "version: 1\ntests:\n  - { name: a, command: x }\n"
        let changed = try SuiteInsertion.inserting(
            SuiteTest(name: "b", command: .words(["z"])), askingFor: [], into: text, name: "f", rules: [])
        #expect(changed == text + "  - name: b\n    command: [z]\n")
    }
}
