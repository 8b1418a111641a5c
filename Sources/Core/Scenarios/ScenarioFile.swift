// SPDX-License-Identifier: Apache-2.0
/// A scenario as text: keywords at the start of a line, with their contents indented below. `fixtures/dns64/README.md` describes the
/// format.
package struct ScenarioFile: Sendable {
    struct Block: Sendable {
        var line: Int
        var keyword: String
        var argument: String
        var body: [Line] = []

        /// The lines below the keyword with their indentation, each at its line number: the lines before them are empty.
        var text: String {
            var lines: [String] = []
            for line in body {
                lines += repeatElement("", count: line.line - 1 - lines.count)
                lines.append(String(repeating: " ", count: line.indentation) + line.text)
            }
            return lines.joined(separator: "\n")
        }
    }

    /// A line below a keyword.
    struct Line: Sendable {
        var line: Int
        var indentation: Int
        /// Without blanks at the ends.
        var text: String
    }

    /// An error in a scenario, or in the answer to it, with its position.
    package struct Failure: Error, CustomStringConvertible, Sendable {
        package var file: String
        package var line: Int
        package var text: String

        package var description: String { "\(file):\(line): \(text)" }
    }

    package let name: String
    let blocks: [Block]

    package init(name: String, text: String) throws(Failure) {
        self.name = name
        var blocks: [Block] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let number = index + 1
            // A comment is a semicolon at the start of a line or after a blank; no scenario needs one inside quotes.
            let content = line.starts(with: ";") ? "" : line[..<Self.comment(in: line)]
            let trimmed = content.trimmed
            if trimmed.isEmpty { continue }
            if content.first == " " {
                guard !blocks.isEmpty else {
                    throw Failure(file: name, line: number, text: "an indented line needs a keyword above it")
                }
                blocks[blocks.count - 1].body.append(
                    Line(line: number, indentation: content.prefix { $0 == " " }.count, text: trimmed))
            } else {
                guard let colon = trimmed.firstIndex(of: ":") else {
                    throw Failure(file: name, line: number, text: "expected \"keyword: argument\"")
                }
                blocks.append(
                    Block(
                        line: number, keyword: String(trimmed[..<colon]),
                        argument: trimmed[trimmed.index(after: colon)...].trimmed))
            }
        }
        self.blocks = blocks
    }

    private static func comment(in line: Substring) -> Substring.Index {
        line.indices.first { line[$0...].hasPrefix(" ;") } ?? line.endIndex
    }

    func failure(_ line: Int, _ text: String) -> Failure { Failure(file: name, line: line, text: text) }
}

extension StringProtocol {
    /// Without blanks at the ends.
    fileprivate var trimmed: String {
        var rest = self[...]
        while rest.first == " " || rest.first == "\t" || rest.first == "\r" { rest.removeFirst() }
        while rest.last == " " || rest.last == "\t" || rest.last == "\r" { rest.removeLast() }
        return String(rest)
    }
}
