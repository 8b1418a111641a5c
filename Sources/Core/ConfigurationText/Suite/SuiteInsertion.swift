// SPDX-License-Identifier: Apache-2.0
package import Suites
import Text

/// Appends a test to the list of a suite file, as text: the file's contents, comments included, stay as they are.
package enum SuiteInsertion {
    /// The reason why the file was not changed.
    package struct Refusal: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    /// A suite file without tests.
    package static let empty = "version: 1\ntests:\n"

    /// - Parameters:
    ///   - text: the suite file, or `empty`.
    ///   - names: the names that the command looked up, for a comment.
    /// - Returns: the file with the test, which parses as the old one with one more test.
    package static func inserting(
        _ test: SuiteTest, askingFor names: [String], into text: String, name file: String, rules: [String]
    ) throws(Refusal) -> String {
        let isEmpty = text == empty
        let before: Suite? = isEmpty ? nil : try suite(text, file, rules)
        let place = isEmpty ? Place(line: 2, indent: "  ") : try place(in: text, file, test, names)
        let lineEnd = text.contains("\r\n") ? "\r\n" : "\n"
        var lines = lines(text)
        if lines.last?.isEmpty == true { lines.removeLast() }
        let entry = entry(test, names, indent: place.indent).map { $0[...] }
        lines.insert(contentsOf: entry, at: min(place.line, lines.count))
        let changed = lines.joined(separator: lineEnd) + lineEnd
        let after = try suite(changed, file, rules)
        guard after.tests.count == (before?.tests.count ?? 0) + 1, let last = after.tests.last,
            last.name == test.name, last.command == test.command, last.isOffline || !test.isOffline,
            isEmpty || Array(after.tests.dropLast()) == before?.tests
        else { throw pasted(file, test, names) }
        return changed
    }

    /// The line after which the test is inserted, and the indentation of its dash.
    private struct Place {
        var line: Int
        var indent: String
    }

    private static func place(
        in text: String, _ file: String, _ test: SuiteTest, _ names: [String]
    ) throws(Refusal) -> Place {
        guard let root = try? YAMLText(Array(text.utf8), name: file, of: "a suite").root(),
            case .map(let entries) = root.content, let tests = entries.first(where: { $0.key.isText("tests") }),
            case .list(let items) = tests.value.content, let last = items.last
        else { throw pasted(file, test, names) }
        let lines = lines(text)
        // YAML has more line ends than these.
        guard lines.indices.contains(last.position.line - 1) else { throw pasted(file, test, names) }
        let line = lines[last.position.line - 1]
        let indent = line.prefix { $0 == " " }
        // Lines cannot be added to a list in brackets.
        guard line.dropFirst(indent.count).hasPrefix("- ") else { throw pasted(file, test, names) }
        // Before the file's next key, and before the comments and blank lines that belong to it.
        let next = entries.map(\.key.position.line).filter { $0 > last.position.line }.min()
        var end = (next ?? lines.count + 1) - 1
        while end > last.position.line, lines[end - 1].allSatisfy({ $0 == " " }) || lines[end - 1].hasPrefix("#") {
            end -= 1
        }
        return Place(line: end, indent: String(indent))
    }

    private static func lines(_ text: String) -> [Substring] {
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    }

    private static func suite(_ text: String, _ file: String, _ rules: [String]) throws(Refusal) -> Suite {
        do throws(SuiteFileError) {
            return try Suite(yaml: Array(text.utf8), name: file, rules: rules)
        } catch {
            throw Refusal(description: "\(error)")
        }
    }

    private static func pasted(_ file: String, _ test: SuiteTest, _ names: [String]) -> Refusal {
        let text = entry(test, names, indent: "  ").joined(separator: "\n")
        return Refusal(
            description: "\(file): its list of tests is not one that lines can be added to; write into it:\n\(text)")
    }

    private static func entry(_ test: SuiteTest, _ names: [String], indent: String) -> [String] {
        let words = test.command.arguments.map(scalar).joined(separator: ", ")
        let asked = names.isEmpty ? [] : ["\(indent)# Asked for: \(printable(enumerated(names, limit: 20)))"]
        return asked + ["\(indent)- name: \(scalar(test.name))", "\(indent)  command: [\(words)]"]
            + (test.isOffline ? ["\(indent)  offline: true"] : [])
    }

    /// Words that editors do not treat as text, although their schema requires text.
    private static let typed: Set<String> = ["true", "false", "yes", "no", "on", "off", "y", "n", "null"]

    /// Plain if no character has a meaning in YAML, otherwise in double quotes.
    package static func scalar(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.utf8.allSatisfy { octet in
                switch octet {
                case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
                default: "_./-".utf8.contains(octet)
                }
            } && word.utf8.first.map { !(0x30...0x39).contains($0) } == true
            && !["-", "---", "...", "~"].contains(word) && !typed.contains(word.lowercased())
        if isPlain { return word }
        var text = "\""
        for scalar in word.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{a0}", "\u{2028}", "\u{2029}", "\u{feff}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
