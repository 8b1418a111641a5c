// SPDX-License-Identifier: Apache-2.0
import Suites
import Testing

@testable import ConfigurationText

@Suite struct SuiteInsertionTests {
    @Test func `a file with the line ends of Windows keeps them, and one with a byte order mark is read`() throws {
        let text = "version: 1\r\ntests:\r\n  - { name: a, command: [x] }\r\n"
        let changed = try inserting(into: text, names: [])
        #expect(changed.hasPrefix(text) && changed.hasSuffix("\r\n"))
        #expect(!changed.replacing("\r\n", with: "").contains("\n"))
        let marked = try inserting(into: "\u{feff}version: 1\ntests:\n  - { name: a, command: [x] }\n", names: [])
        #expect(marked.hasPrefix("\u{feff}version: 1\n"))
        // A line end that YAML knows, and editors hardly.
        #expect(throws: SuiteInsertion.Refusal.self) {
            try inserting(into: "version: 1\rtests:\r  - { name: a, command: [x] }\r", names: [])
        }
    }

    private func inserting(
        _ words: [String] = ["./shop", "fetch"], into text: String, names: [String] = []
    ) throws(SuiteInsertion.Refusal) -> String {
        try SuiteInsertion.inserting(
            SuiteTest(name: "new", command: .words(words)), askingFor: names, into: text, name: "f", rules: ["V6C-001"])
    }

    @Test func `a test goes behind the last one, and nothing else changes`() throws {
        let text = """
            # Head.
            version: 1
            tests:
              - name: a   # the first
                command: "true"

              # About b.
              - { name: b, command: "true" }

            # About what follows.
            name: shop
            """
        let expected = text.replacing(
            "\"true\" }\n",
            with: "\"true\" }\n  # Asked for: shop.test\n  - name: new\n    command: [./shop, fetch]\n")
        #expect(try inserting(into: text, names: ["shop.test"]) == expected + "\n")
    }

    @Test(arguments: [
        "version: 1\ntests:\n- name: a\n  command: x",
        "version: 1\ntests:\n      - name: a\n        command: |\n          x\n          y\n",
    ])
    func `the list's own indentation is kept, and its last test may have many lines`(_ text: String) throws {
        let changed = try inserting(into: text)
        #expect(changed.hasPrefix(text))
        #expect(try Suite(yaml: Array(changed.utf8), name: "f", rules: []).tests.map(\.name) == ["a", "new"])
    }

    @Test func `the first test of a file`() throws {
        #expect(
            try inserting(into: SuiteInsertion.empty)
                == "version: 1\ntests:\n  - name: new\n    command: [./shop, fetch]\n")
    }

    @Test func `what an editor would not take for text is quoted`() throws {
        let test = SuiteTest(name: "true", command: .words(["true", "No", "null", "nobody"]))
        let text = try SuiteInsertion.inserting(test, askingFor: [], into: SuiteInsertion.empty, name: "f", rules: [])
        #expect(
            text == """
                version: 1
                tests:
                  - name: "true"
                    command: ["true", "No", "null", nobody]

                """)
    }

    @Test func `a test that needs no network says so`() throws {
        var test = SuiteTest(name: "new", command: .words(["x"]))
        test.isOffline = true
        let text = try SuiteInsertion.inserting(
            test, askingFor: [], into: SuiteInsertion.empty, name: "f", rules: [])
        #expect(text == "version: 1\ntests:\n  - name: new\n    command: [x]\n    offline: true\n")
    }

    @Test(arguments: [
        "", " ", "-", "--", "~", "a b", "a: b", "a #b", "[x]", "{x}", "'", "\"\\", "tab\tand\nline",
        "\u{7f}\u{85}\u{a0}",
        "\u{2028}\u{feff}\u{1f600}", "é", "*a", "&a", "!a", "%a", "@a", "true", "null", "123", "0x10", "1:2", "---",
        "...",
    ]) func `every word is read as it was`(_ word: String) throws {
        let changed = try inserting(["x", word], into: SuiteInsertion.empty)
        #expect(try Suite(yaml: Array(changed.utf8), name: "f", rules: []).tests[0].command == .words(["x", word]))
    }

    @Test(arguments: [
        "version: 1\ntests: [{ name: a, command: x }]\n", "version: 1\ntests: [\n  { name: a, command: x } ]\n",
        "{ version: 1, tests: [{ name: a, command: x }] }\n", "version: 1\ntests:\n  - { name: a, command: x }\n...\n",
        "version: 1\ntests:\n  - { name: new, command: x }\n", "tests: nothing\n", "",
    ]) func `a file that lines cannot be added to is left as it is`(_ text: String) {
        #expect(throws: SuiteInsertion.Refusal.self) { try inserting(into: text) }
    }

    @Test func `what a name in a comment holds stays in the comment`() throws {
        let changed = try inserting(into: SuiteInsertion.empty, names: ["a\n  - { name: evil, command: x }", "b"])
        #expect(try Suite(yaml: Array(changed.utf8), name: "f", rules: []).tests.map(\.name) == ["new"])
    }
}
