// SPDX-License-Identifier: Apache-2.0
import Text

/// The error for a text that is not YAML: libyaml's message, and the most likely mistake.
extension YAMLFileError {
    init(_ error: YAMLEvents.Malformed, text: String, file: String) {
        let message = "this is not YAML: \(error.problem)"
        switch error.place {
        case .offset(let offset):
            self.init(file: file, message, at: SourcePosition(offset: offset, in: Array(text.utf8)))
        case .mark(let mark, let token):
            let hint = Self.hintToQuote(at: mark, in: text) ?? Self.hint(near: token ?? mark, in: text)
            self.init(file: file, message + hint, at: mark)
        }
    }

    /// YAML takes the colons at the beginning or end of an IPv6 address for the mark behind a key.
    private static func hintToQuote(at mark: SourcePosition, in text: String) -> String? {
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.indices.contains(mark.line - 1) else { return nil }
        let line = Array(lines[mark.line - 1])
        func isInWord(_ index: Int) -> Bool {
            line.indices.contains(index) && !" \t\r,[]{}\"'#".unicodeScalars.contains(line[index])
        }
        // The mark is in the word, or just behind it.
        guard let place = [mark.column - 1, mark.column - 2].first(where: isInWord) else { return nil }
        let start = (0...place).last { !isInWord($0) }.map { $0 + 1 } ?? 0
        let end = (place..<line.count).first { !isInWord($0) } ?? line.count
        var word = String.UnicodeScalarView()
        word.append(contentsOf: line[start..<end])
        guard String(word).contains("::") else { return nil }
        return " (text with a colon at its start or end must be quoted: \"\(excerpt(String(word)))\")"
    }

    /// The most likely cause of an error of libyaml, judging by the first character of the token concerned.
    private static func hint(near mark: SourcePosition, in text: String) -> String {
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.indices.contains(mark.line - 1) else { return "" }
        switch lines[mark.line - 1].dropFirst(mark.column - 1).first {
        case "\t": return " (indent with blanks, not with tabs)"
        case let first? where "*&!|>%@`".unicodeScalars.contains(first):
            return " (text that begins with \(first) must be quoted)"
        default: return ""
        }
    }
}
