// SPDX-License-Identifier: Apache-2.0
import Testing
import Text

@Suite struct TextTableTests {
    @Test func `columns are as wide as they must be, and numbers end at the same place`() {
        let table = TextTable([["NAME", "COUNT", ""], ["a", "7", "x"], ["longer", "1234", ""]], numeric: [1])
        #expect(table.lines == ["NAME    COUNT", "a           7  x", "longer   1234"])
    }

    @Test func `a table without rows has no lines`() {
        #expect(TextTable([]).lines.isEmpty)
    }
}

@Suite struct BaseNameTests {
    @Test(arguments: [
        ("/usr/bin/curl", "curl"), ("curl", "curl"), ("lib/", "lib"), ("./a b", "a b"), ("/", "/"), ("", ""),
    ])
    func `a path's last part is its base name`(_ path: String, _ name: String) {
        #expect(baseName(path) == name)
    }

    @Test(arguments: [("/usr/bin/curl", "/usr/bin"), ("/usr", "/"), ("/", "/"), ("/a b/ä/c", "/a b/ä")])
    func `what stands before it is its folder`(_ path: String, _ folder: String) {
        #expect(parentFolder(path) == folder)
    }
}

@Suite struct PercentDecodingTests {
    @Test(
        arguments: [
            ("", ""), ("a+b", "a+b"), ("%41%2f%2F", "A//"), ("p%C3%A4", "pä"), ("%", nil), ("%4", nil), ("%4g", nil),
            ("%+1", nil), ("%%41", nil), ("%ff", nil),
        ] as [(String, String?)])
    func `two digits behind a percent sign are an octet`(_ text: String, _ decoded: String?) {
        #expect(percentDecoded(text) == decoded)
    }
}

@Suite struct QuotingTests {
    @Test func `what controls a terminal or reorders a line shows`() {
        #expect(printable("a\u{1b}[31m\nb\u{202e}c\u{85}") == "a\u{fffd}[31m\u{fffd}b\u{fffd}c\u{fffd}")
        #expect(printable("ein Käse 🧀") == "ein Käse 🧀")
    }

    @Test func `an excerpt has at most eighty characters, and says that there are more`() {
        #expect(excerpt(String(repeating: "x", count: 80)) == String(repeating: "x", count: 80))
        #expect(excerpt(String(repeating: "x", count: 81)) == String(repeating: "x", count: 80) + "…")
    }

    @Test(arguments: [
        ([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c"),
        (["a", "b", "c", "d", "e"], "a, b, c and 2 more"),
    ]) func `words are enumerated`(words: [String], text: String) {
        #expect(enumerated(words, limit: 3) == text)
    }
}

/// RFC 8259 §7.
@Suite struct JSONStringTests {
    @Test(
        arguments: [
            ("", "\"\""), ("ein Käse 🧀/", #""ein Käse 🧀/""#), (#"a"b\c"#, #""a\"b\\c""#),
            ("a\u{0}b\n\u{1f} ", #""a\u0000b\u000a\u001f ""#),
        ]) func `quotes, backslashes and control characters are escaped`(_ text: String, _ string: String)
    {
        #expect(jsonString(text) == string)
    }
}

@Suite struct TimeStampTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (951_868_800_000, "2000-03-01T00:00:00.000Z"), (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (1_795_300_295_042, "2026-11-21T22:31:35.042Z"),
            (1_735_689_599_999, "2024-12-31T23:59:59.999Z"), (-1, "1969-12-31T23:59:59.999Z"),
        ] as [(Int64, String)]) func `is a date and a time in UTC`(milliseconds: Int64, text: String)
    {
        #expect("\(TimeStamp(millisecondsSince1970: milliseconds))" == text)
        #expect("\(TimeStamp(nanosecondsSince1970: milliseconds * 1_000_000 + 999_999))" == text)
    }
}
