// SPDX-License-Identifier: Apache-2.0
@testable import ConfigurationText
import Testing

@Suite("Files that are not YAML, or more of it than is good") struct YAMLErrorTests {
    @Test(arguments: [
        (
            "version: 1\nhosts:\n\ta.test: {}",
            "3:1: this is not YAML: found character that cannot start any token (indent with blanks, not with tabs)"
        ),
        ("version: 1\nhosts: {\n", "3:1: this is not YAML: did not find expected node content"),
        (
            "version: 1\nrecords:\n- *.a.test A 198.51.100.1",
            "3:4: this is not YAML: did not find expected alphabetic or numeric character (text that begins with * must be quoted)"
        ),
        (
            "version: 1\nrecords:\n- @ A 198.51.100.1",
            "3:3: this is not YAML: found character that cannot start any token (text that begins with @ must be quoted)"
        ),
        (
            "version: 1\ndns64: { clauses: [{ prefix: 2001:db8::/96, exclude: [::ffff:0:0/96] }] }",
            "2:55: this is not YAML: did not find expected node content (text with a colon at its start or end must be quoted: \"::ffff:0:0/96\")"
        ),
        (
            "version: 1\ndns64: { clauses: [{ prefix: 2001:db8::/64, suffix: ::1 }] }",
            "2:53: this is not YAML: did not find expected node content (text with a colon at its start or end must be quoted: \"::1\")"
        ),
        (
            "version: 1\nsuffix: ::",
            "2:10: this is not YAML: mapping values are not allowed in this context (text with a colon at its start or end must be quoted: \"::\")"
        ),
        (
            "version: 1\nx: [2001:db8::, 1]",
            "2:14: this is not YAML: found unexpected ':' (text with a colon at its start or end must be quoted: \"2001:db8::\")"
        ),
        (
            "version: 1\n---\nversion: 1",
            "2:1: a second document begins here: a file has one, so leave out the --- in between"
        ),
        (
            "version: 1\nhosts: {}\nhosts: {}",
            "2:1: \"hosts\" stands here and once more below: keep one, and join what belongs together"
        ),
        ("version: 1\nttl: \"a\u{0}b\"", "2:8: this is not YAML: control characters are not allowed"),
    ])
    func `are told with their place`(yaml: String, expected: String) {
        #expect(complaints(yaml) == ["w.yaml:\(expected)"])
    }

    @Test func `octets that are not UTF-8 are told with their place`() {
        let yaml = Array("version: 1\nhosts: # é".utf8) + [0xff] + Array(": {}\n".utf8)
        #expect(complaints(yaml) == ["w.yaml:2:11: this is not UTF-8: save the file in that encoding"])
    }

    @Test func `an alias is refused before it can unfold`() {
        var bomb = "version: 1\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...9 {
            let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            bomb += "a\(level): &a\(level) [\(aliases)]\n"
        }
        bomb += "? *a9\n: 1\n"
        #expect(
            complaints(bomb) == [
                "w.yaml:3:10: aliases (*name) are not part of a world file: write the value out"
            ])
    }

    @Test(arguments: [
        "*a", "- *a", "-  *a", "a: *a", "[*a]", "[b, *a]", "{*a : b}", "? *a", "a:\n  *a", "[\"b\":*a]",
        "['b # c', *a]",
        "# \u{2028}*a", "a: #\r- *a", "--- *a",
    ])
    func `an alias is refused wherever a node may begin`(yaml: String) {
        #expect(complaints(yaml).first?.contains("aliases (*name) are not part of a world file") == true)
    }

    @Test(arguments: [
        "# see *there*", "a: b # *c", "\"*.a.test\": b", "a * b", "a*b", "- x TXT \"a, *b\"", "*.a", "* a",
        "a: b\n#*c\n", "", "x\u{85}*a", "a: |\n  b, *c\n  - *d\n",
    ])
    func `an asterisk elsewhere is no alias`(yaml: String) {
        #expect(complaints(yaml).allSatisfy { !$0.contains("alias") })
    }

    @Test func `text between quotes may look like an alias`() throws {
        let world = try world("version: 1\nrecords: [\"a.test TXT 'x, *y'\"]\n")
        #expect(world.records.count == 1)
    }

    @Test func `deep nesting is refused, with its place`() {
        let yaml = "version: 1\nhosts: " + String(repeating: "[", count: 100_000)
        #expect(complaints(yaml) == ["w.yaml:2:71: lists and maps are nested more than 64 levels deep"])
    }

    @Test func `more values than anybody writes are refused`() {
        let yaml = "version: 1\nhosts: [" + String(repeating: "a,", count: 1 << 18) + "]"
        #expect(complaints(yaml) == ["w.yaml:2:524287: the file has more than 262144 values"])
    }

    @Test func `every beginning of a world file is read or refused, and no octet changed can trap`() {
        let demo = DemoWorldTests.file
        for length in stride(from: 0, through: demo.count, by: 7) { _ = complaints(Array(demo[..<length])) }
        for offset in stride(from: 0, to: demo.count, by: 11) {
            for octet: UInt8 in [0, 0x0a, 0x22, 0x2a, 0x3a, 0x5b, 0x7b, 0x85, 0xc2, 0xff] {
                var changed = demo
                changed[offset] = octet
                _ = complaints(changed)
            }
        }
    }
}
