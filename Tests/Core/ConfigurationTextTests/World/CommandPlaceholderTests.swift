// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ConfigurationText

@Suite("Placeholders in the words of a program's command") struct CommandPlaceholderTests {
    private func filled(_ word: String) -> String {
        CommandPlaceholder.fill(word) { placeholder in
            switch placeholder {
            case .address: "198.51.100.9"
            case .port: "5432"
            case .certificate, .key: "/dev/fd/3"
            case .state: "/tmp/state {port}"
            }
        }
    }

    @Test(arguments: [
        ("{address}", "198.51.100.9"), ("-h{address}:{port}!", "-h198.51.100.9:5432!"), ("plain", "plain"), ("", ""),
        ("{certificate}{key}", "/dev/fd/3/dev/fd/3"),
        // Replaced text is not scanned again.
        ("{state}/db", "/tmp/state {port}/db"),
    ]) func `are filled in`(word: String, expected: String) { #expect(filled(word) == expected) }

    @Test(arguments: [
        // Shells
        "${port}", "echo ${address:-none}", "{ echo; }", "{1..3}", "{a,b}", "find {} +",
        // Programs given as text
        "{\"port\": 1}", "f'{x }'", "{}", "{", "}", "{{", "}}", "{Address}", "{address", "address}", "{ address }",
    ]) func `other braces are themselves`(word: String) {
        #expect(filled(word) == word)
        #expect(CommandPlaceholder.all(in: word).isEmpty)
    }

    @Test(arguments: [
        ("{{port}}", "{port}"), ("{{print}} {port}", "{print} 5432"), ("{{{port}}}", "{{port}}"),
        ("${{port}}", "${port}"),
    ]) func `doubled braces are literal`(word: String, expected: String) { #expect(filled(word) == expected) }

    @Test func `names that are none are told apart`() {
        let names = CommandPlaceholder.all(in: "{prot} {port} awk '{print}'")
        #expect(names.map(\.name) == ["prot", "port", "print"])
        #expect(names.map(\.placeholder) == [nil, .port, nil])
    }
}
