// SPDX-License-Identifier: Apache-2.0
/// A value that is filled into the words of a program's command when it starts: `{address}`.
///
/// A name in braces consists of lower-case letters. Braces around any other text are literal, and so are those of the shell's `${name}`;
/// `{{name}}` is the name in literal braces.
package enum CommandPlaceholder: String, CaseIterable, Sendable {
    /// The service's address.
    case address
    case port
    /// A file with the service's certificate and its key, in PEM.
    case certificate
    /// The same file: programs that need the key find it in there.
    case key
    /// The program's own folder.
    case state

    /// The placeholder as it is written.
    package var text: String { "{\(rawValue)}" }

    /// A part of a word.
    enum Piece: Equatable {
        case text(String)
        /// The name between braces, whether or not there is such a placeholder.
        case named(String)
    }

    static func pieces(of word: String) -> [Piece] {
        var pieces: [Piece] = []
        var literal = ""
        var rest = word[...]
        while let first = rest.first {
            if literal.last != "$", let (name, end) = name(in: rest, between: "{", and: "}") {
                if !literal.isEmpty { pieces.append(.text(literal)) }
                literal = ""
                pieces.append(.named(name))
                rest = rest[end...]
            } else if let (name, end) = name(in: rest, between: "{{", and: "}}") {
                literal += "{\(name)}"
                rest = rest[end...]
            } else {
                literal.append(first)
                rest.removeFirst()
            }
        }
        return literal.isEmpty ? pieces : pieces + [.text(literal)]
    }

    private static func name(
        in text: Substring, between opening: String, and closing: String
    ) -> (name: String, end: Substring.Index)? {
        guard text.hasPrefix(opening) else { return nil }
        let inner = text.dropFirst(opening.count)
        let name = inner.prefix { $0.isASCII && $0.isLowercase }
        guard !name.isEmpty, inner[name.endIndex...].hasPrefix(closing) else { return nil }
        return (String(name), inner.index(name.endIndex, offsetBy: closing.count))
    }

    /// The placeholders in a word; `nil` for a name that is not a placeholder.
    static func all(in word: String) -> [(name: String, placeholder: CommandPlaceholder?)] {
        pieces(of: word).compactMap { piece in
            guard case .named(let name) = piece else { return nil }
            return (name, CommandPlaceholder(rawValue: name))
        }
    }

    /// The word with its placeholders filled in.
    package static func fill(_ word: String, with value: (CommandPlaceholder) -> String) -> String {
        pieces(of: word).map { piece in
            switch piece {
            case .text(let text): text
            case .named(let name): CommandPlaceholder(rawValue: name).map(value) ?? "{\(name)}"
            }
        }.joined()
    }
}
