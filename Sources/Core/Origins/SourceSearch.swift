// SPDX-License-Identifier: Apache-2.0
package import Evidence
import Text

/// Finds the line of a source by what is known of it: the command that it starts, the function that it calls, the words that it prints.
///
/// A shell does not reveal its position, most languages start programs from a separate process, and a program that ends has no stack any
/// more. A line is reported only if no other fits as well.
package struct SourceSearch {
    struct Line {
        var file: String
        var number: Int
        var octets: ArraySlice<UInt8>
    }

    private(set) var lines: [Line] = []
    /// Longer lines are not written by hand; and so many lines belong to a large program, not to a script.
    private static let limits = (lines: 50_000, octetsOfLine: 4096)

    package init() {}

    /// - Parameter path: as it is to be reported.
    package mutating func add(file octets: [UInt8], path: String) {
        // A file with a NUL is no text.
        guard !octets.prefix(8192).contains(0) else { return }
        var number = 0
        for line in octets.split(separator: 10, omittingEmptySubsequences: false) {
            number += 1
            guard lines.count < Self.limits.lines else { return }
            if line.count > Self.limits.octetsOfLine { continue }
            let text = line.drop { $0 == 32 || $0 == 9 }
            if text.isEmpty || OriginFinder.commentsOfText.contains(where: { text.starts(with: $0.utf8) }) { continue }
            lines.append(Line(file: path, number: number, octets: line))
        }
    }

    /// The line that has the program's name and more of its arguments than any other, as far as they were not put together at run time.
    /// - Parameter arguments: the first is the program's name, or its path.
    package func place(ofCommand arguments: [String]) -> StackFrame? {
        guard let first = arguments.first else { return nil }
        let name = Array(baseName(first).utf8)
        let others = arguments.dropFirst().map { Array($0.utf8) }.filter { $0.count > 1 }
        let found = lines.filter { hasWord(name, in: $0.octets) && !Self.asksForPrograms($0.octets) }.map { line in
            (line, others.count { hasWord($0, in: line.octets) })
        }
        guard let most = found.map(\.1).max() else { return nil }
        let best = found.filter { $0.1 == most }
        // The name alone may appear anywhere, for example in a message.
        guard best.count == 1, most > 0 || others.isEmpty || found.count == 1 else { return nil }
        return frame(best[0].0)
    }

    /// The only line with one of these texts, not beginning inside a name, and with one of the others, if there are any.
    package func place(ofOneOf texts: [String], with others: [String] = []) -> StackFrame? {
        let (texts, others) = (texts.map { Array($0.utf8) }, others.map { Array($0.utf8) })
        func hasOne(of texts: [[UInt8]], _ line: Line) -> Bool { texts.contains { has($0, in: line.octets) } }
        return place { hasOne(of: texts, $0) && (others.isEmpty || hasOne(of: others, $0)) }
    }

    /// The only line with any of these words, and with none of the others, outside comments. Words may have a dot before them.
    package func place(ofWords words: [String], without others: [String] = []) -> StackFrame? {
        let (words, others) = (words.map { Array($0.utf8) }, others.map { Array($0.utf8) })
        return place { line in
            let code = line.octets.prefix(upTo: startOfComment(in: line.octets))
            func hasOne(of words: [[UInt8]]) -> Bool { words.contains { hasWord($0, in: code, isOfName) } }
            return hasOne(of: words) && !hasOne(of: others)
        }
    }

    /// The only line that meets a condition.
    private func place(where isMeant: (Line) -> Bool) -> StackFrame? {
        let found = lines.filter(isMeant)
        return found.count == 1 ? frame(found[0]) : nil
    }

    func frame(_ line: Line) -> StackFrame { StackFrame(file: line.file, line: line.number) }

    private static func asksForPrograms(_ line: ArraySlice<UInt8>) -> Bool {
        ["command -v ", "which ", "hash ", "type "].contains {
            firstPlace(of: Array($0.utf8), in: line, from: line.startIndex) != nil
        }
    }
}

/// Whether a line contains a text that does not continue a name there.
private func has(_ text: [UInt8], in line: ArraySlice<UInt8>) -> Bool {
    var position = line.startIndex
    while let place = firstPlace(of: text, in: line, from: position) {
        guard let first = text.first, isOfName(first), place > line.startIndex, isOfName(line[place - 1]) else {
            return true
        }
        position = place + 1
    }
    return false
}

private func isOfName(_ octet: UInt8) -> Bool {
    isOfWord(octet) && octet != UInt8(ascii: "-") && octet != UInt8(ascii: ".")
}

/// Where a comment begins at the end of a line; its end if none does.
private func startOfComment(in line: ArraySlice<UInt8>) -> Int {
    [" # ", " // "].compactMap { firstPlace(of: Array($0.utf8), in: line, from: line.startIndex) }.min()
        ?? line.endIndex
}

/// Whether a line contains a word that is no part of a longer one there.
private func hasWord(_ word: [UInt8], in line: ArraySlice<UInt8>, _ isOfWord: (UInt8) -> Bool = isOfWord) -> Bool {
    var position = line.startIndex
    while let place = firstPlace(of: word, in: line, from: position) {
        let end = place + word.count
        let isBegun =
            place > line.startIndex && (isOfWord(line[place - 1]) || line[place - 1] == UInt8(ascii: "-"))
        let isContinued = end < line.endIndex && isOfWord(line[end])
        if !isBegun, !isContinued { return true }
        position = place + 1
    }
    return false
}

private func isOfWord(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
        true
    default: false
    }
}

private func firstPlace(of text: [UInt8], in line: ArraySlice<UInt8>, from start: Int) -> Int? {
    guard let first = text.first, line.endIndex - start >= text.count else { return nil }
    var position = start
    while position + text.count <= line.endIndex,
        let next = line[position...(line.endIndex - text.count)].firstIndex(of: first)
    {
        if line[next..<(next + text.count)].elementsEqual(text) { return next }
        position = next + 1
    }
    return nil
}
