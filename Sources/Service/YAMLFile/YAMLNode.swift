import Text
import Yams

/// A node of a YAML document, and where it stands. The only part of the reader that knows the YAML library.
package struct YAMLNode {
    package var position: SourcePosition
    package var content: Content

    package enum Content {
        case scalar(String)
        case list([YAMLNode])
        case map([Entry])
    }

    package struct Entry {
        package var key: YAMLNode
        package var value: YAMLNode
    }

    package func isText(_ text: String) -> Bool {
        if case .scalar(text) = content { true } else { false }
    }

    /// What a person would call it, for messages.
    package var kindDescription: String {
        switch content {
        case .scalar(""): "nothing"
        case .scalar(let text): "\"\(excerpt(text))\""
        case .list: "a list"
        case .map: "a map"
        }
    }
}

// MARK: - Composing

extension YAMLNode {
    /// Composes the only document of `text`; nil where it holds none. `kind` is what the file describes: "a world".
    ///
    /// Aliases are refused (`firstAlias`), so the tree is never larger than the text; its depth is bounded by libyaml.
    static func compose(_ text: String, file: String, of kind: String) throws(YAMLFileError) -> YAMLNode? {
        if let alias = firstAlias(in: Array(text.utf8)) {
            throw YAMLFileError(
                file: file,
                "aliases (*name) are not part of \(kind) file: write the value out; in quoted text write \\* for *",
                at: alias)
        }
        do {
            // Without rules every scalar is text, so no regular expression is ever compiled.
            let parser = try Parser(yaml: text, resolver: .basic, encoding: .utf8)
            guard let root = try parser.singleRoot() else { return nil }
            return YAMLNode(root)
        } catch let error as YamlError {
            throw YAMLFileError(yaml: error, text: text, file: file)
        } catch {
            throw YAMLFileError(file: file, "this is not YAML: \(error)")
        }
    }

    private init(_ node: Node) {
        position =
            node.mark.map { SourcePosition(line: $0.line, column: $0.column) } ?? SourcePosition(line: 1, column: 1)
        switch node {
        case .scalar(let scalar): content = .scalar(scalar.string)
        case .sequence(let sequence): content = .list(sequence.map(YAMLNode.init))
        case .mapping(let mapping):
            content = .map(mapping.map { Entry(key: YAMLNode($0.key), value: YAMLNode($0.value)) })
        // The parser puts the anchored node itself where an alias stands, and no alias comes this far.
        case .alias: content = .scalar("")
        }
    }
}

extension YAMLFileError {
    fileprivate init(yaml error: YamlError, text: String, file: String) {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            let position = SourcePosition(line: mark.line, column: mark.column)
            let hint = Self.hintToQuote(at: mark, in: text) ?? Self.hint(near: context?.mark ?? mark, in: text)
            self.init(file: file, "this is not YAML: \(problem)\(hint)", at: position)
        case .reader(let problem, let offset, _, _):
            let index = offset.map {
                text.index(text.startIndex, offsetBy: $0, limitedBy: text.endIndex) ?? text.endIndex
            }
            let position = index.map { SourcePosition(offset: text[..<$0].utf8.count, in: Array(text.utf8)) }
            self.init(file: file, "this is not YAML: \(problem)", at: position)
        case .duplicatedKeysInMapping(let keys, let context):
            let position = SourcePosition(line: context.mark.line, column: context.mark.column)
            let key = excerpt(keys.first ?? "")
            self.init(
                file: file, "\"\(key)\" stands here and once more below: keep one, and join what belongs together",
                at: position)
        default:
            self.init(file: file, "this is not YAML: \(error)")
        }
    }

    /// IPv6 addresses that begin or end with colons are what YAML takes these for: the marks behind a key.
    private static func hintToQuote(at mark: Mark, in text: String) -> String? {
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.indices.contains(mark.line - 1) else { return nil }
        let line = Array(lines[mark.line - 1])
        func isInWord(_ index: Int) -> Bool {
            line.indices.contains(index) && !" \t\r,[]{}\"'#".unicodeScalars.contains(line[index])
        }
        // The mark is in the word, or right behind it.
        guard let place = [mark.column - 1, mark.column - 2].first(where: isInWord) else { return nil }
        let start = (0...place).last { !isInWord($0) }.map { $0 + 1 } ?? 0
        let end = (place..<line.count).first { !isInWord($0) } ?? line.count
        var word = String.UnicodeScalarView()
        word.append(contentsOf: line[start..<end])
        guard String(word).contains("::") else { return nil }
        return " (text with a colon at its start or end must be quoted: \"\(excerpt(String(word)))\")"
    }

    /// What most often is behind an error of libyaml, told from the character at which the token in question begins.
    private static func hint(near mark: Mark, in text: String) -> String {
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
