// SPDX-License-Identifier: Apache-2.0
/// A place of a source file in a line of a program's output, and the text around it.
///
///     File "client.py", line 12, in main          Python
///     at main (/srv/client.js:12:5)               Node, Java, .NET, C++, Rust, Go, Lua, Ruby, Swift
///     bad peer at client.pl line 12.              Perl, PHP (on line 12), Tcl (file "x" line 12), shells (x.sh: line 12: …), Erlang
///     #0 /srv/client.php(12): main()              PHP
struct PrintedPlace {
    let frame: StackFrame
    let before: Substring
    let after: Substring

    init?(in line: Substring) {
        guard let place = Self.afterWord(in: line) ?? Self.afterPath(in: line) else { return nil }
        frame = StackFrame(
            function: Self.function(before: place.before, after: place.after), file: place.path, line: place.number)
        (before, after) = (place.before, place.after)
    }

    /// Whether the line is a frame of an error, and not an error of its own.
    func isFrame(isIndented: Bool) -> Bool {
        // Ruby's logger does not indent frames. Go's tests indent messages.
        if isIndented {
            return frame.file?.hasSuffix("_test.go") != true || before.contains { !$0.isWhitespace }
                || after.first != ":"
        }
        return before.isEmpty && after.hasPrefix(":in ") && ["'", "`"].contains(after.dropFirst(4).first)
            && after.last == "'"
    }

    /// The message around the place, and whether the next line belongs to it.
    var message: (text: Substring, isUnfinished: Bool) {
        // Rust.
        if before.hasSuffix("panicked at ") { return ("", true) }
        var rest = after
        if frame.function != nil, let end = rest.firstRange(of: "': ") { rest = rest[end.upperBound...] }
        // The column.
        if rest.first == ":", rest.dropFirst().first?.isNumber == true {
            rest = rest.dropFirst().drop(while: \.isNumber)
        }
        let isOver = rest.last == ":"
        rest = rest.trimmed(of: " :,;]")
        if rest.first == "." || rest.first == ")" { rest = rest.dropFirst().trimmed(of: " :,") }
        if rest.last == ".", !before.isEmpty || rest.dropLast().last != "." { rest = rest.dropLast() }
        if !rest.isEmpty, !before.hasSuffix(" at "), !before.hasSuffix(" in ") {
            // googletest.
            return (rest, rest == "Failure")
        }
        var text = before.trimmed(of: " :,([\t")
        for word in ["at", "in"] where text == word || text.hasSuffix(" " + word) { text = text.dropLast(word.count) }
        return (text.trimmed(of: " "), isOver)
    }

    private typealias Found = (before: Substring, path: String, number: Int, after: Substring)

    /// The word `line` and a number, after a path.
    private static func afterWord(in line: Substring) -> Found? {
        var rest = line
        while let word = rest.firstRange(of: "line ") {
            let digits = line[word.upperBound...].prefix { $0.isASCII && $0.isNumber }
            rest = line[word.upperBound...]
            guard let number = lineNumber(digits) else { continue }
            var before = line[..<word.lowerBound].trimmed(of: " ,:")
            if before.hasSuffix(" on") { before = before.dropLast(3).trimmed(of: " ,:") }
            guard let (start, path) = path(endingAt: before),
                isSource(path) || path.contains("/") || path.hasPrefix("<")
            else { continue }
            return (line[..<start], path, number, line[digits.endIndex...])
        }
        return nil
    }

    /// A number after a path of a source file and a colon or a bracket.
    private static func afterPath(in line: Substring) -> Found? {
        var rest = line
        while let mark = rest.firstIndex(where: { $0 == ":" || $0 == "(" }) {
            rest = line[line.index(after: mark)...]
            // A shell writes a space before the number.
            let digits = (rest.first == " " ? rest.dropFirst() : rest).prefix { $0.isASCII && $0.isNumber }
            let after = line[digits.endIndex...]
            // An address may stand there: `client.pl: 64:ff9b::1 is strange`.
            guard let number = lineNumber(digits), let next = after.first ?? " " as Character?,
                !next.isLetter, rest.first != " " || after.hasPrefix(": "),
                // A line of numbers has a colon everywhere: only behind a file's name is its beginning looked for.
                endsWithSource(line[..<mark])
            else { continue }
            guard let (start, path) = path(endingAt: line[..<mark]), isSource(path) else {
                // The rest of the word has the same beginning.
                rest = rest.drop { !delimiters.contains($0) }
                continue
            }
            return (line[..<start], path, number, after)
        }
        return nil
    }

    private static func lineNumber(_ digits: Substring) -> Int? {
        guard digits.utf8.count < 8, let number = Int(digits), number > 0 else { return nil }
        return number
    }

    private static let delimiters = " \t(['\"`,="

    /// Whether a text ends with a dot and a language's letters, with or without a quotation mark.
    private static func endsWithSource(_ text: Substring) -> Bool {
        isSource(String((text.last == "\"" ? text.dropLast() : text).suffix(8)))
    }

    /// The path at the end of a text, in quotation marks or without spaces.
    private static func path(endingAt text: Substring) -> (start: Substring.Index, path: String)? {
        var path: Substring
        let start: Substring.Index
        if text.hasSuffix("\""), let opening = text.dropLast().lastIndex(of: "\"") {
            path = text[text.index(after: opening)...].dropLast()
            start = opening
        } else {
            start = text.lastIndex(where: delimiters.contains).map(text.index(after:)) ?? text.startIndex
            path = text[start...]
        }
        if path.hasPrefix("file://") { path = path.dropFirst(7) }
        guard !path.isEmpty, path.utf8.count <= 4096, !path.contains("://") else { return nil }
        return (start, String(path))
    }

    private static func isSource(_ path: String) -> Bool {
        guard let dot = path.lastIndex(of: ".") else { return false }
        return extensions.contains(String(path[path.index(after: dot)...]))
    }

    /// A host's name with its port looks like a file with a line, so only these are taken for files.
    private static let extensions: Set = [
        "adb", "awk", "bash", "bats", "c", "cc", "cjs", "clj", "cpp", "cr", "cs", "cxx", "d", "dart", "erl", "ex",
        "exs",
        "f90", "fs", "go", "groovy", "h", "hpp", "hs", "java", "jl", "js", "jsx", "kt", "kts", "lua", "m", "mjs", "ml",
        "mm",
        "nim", "pas", "php", "pl", "pm", "py", "pyx", "r", "R", "rb", "rs", "scala", "sh", "swift", "t", "tcl", "ts",
        "tsx",
        "vb", "zig",
    ]

    /// The name of the function, where the stack has one: `, in NAME`, `at NAME (`, `:in 'NAME'`.
    private static func function(before: Substring, after: Substring) -> String? {
        if after.hasPrefix(", in ") { return name(after.dropFirst(5)) }
        if let quoted = after.firstRange(of: ":in ") {
            return name(after[quoted.upperBound...].dropFirst().prefix { $0 != "'" })
        }
        let words = before.trimmed(of: " \t(")
        guard words.hasPrefix("at ") else { return nil }
        // `java.base/java.net.Socket.connect`, `async main`
        let function = words.dropFirst(3).split(separator: " ").last ?? ""
        return name(function.split(separator: "/").last ?? "")
    }

    private static func name(_ text: Substring) -> String? { text.isEmpty ? nil : String(text.prefix(200)) }
}

extension Substring {
    func trimmed(of characters: String) -> Substring {
        var text = self.drop(while: characters.contains)
        while let last = text.last, characters.contains(last) { text = text.dropLast() }
        return text
    }
}
