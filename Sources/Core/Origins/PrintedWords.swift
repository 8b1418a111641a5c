// SPDX-License-Identifier: Apache-2.0
package import Evidence

extension SourceSearch {
    /// The line of a source that has the words of a printed line, up to what the program puts between them: `fail("no address for %s", host)`
    /// for `peers: no address for db.example.com`.
    ///
    /// `nil` if another line may have printed them as well, and if the line only begins like the words: then a library or a tool printed
    /// them.
    package func place(ofWords text: String) -> StackFrame? { placeOfProse(in: text) ?? placeOfLabel(of: text) }

    /// The only line that has the words before the first colon in quotation marks: `perror("inet_ntop")` for `inet_ntop: No space left on
    /// device`, `log.Fatalf("lookup: %v", err)`.
    private func placeOfLabel(of text: String) -> StackFrame? {
        guard let colon = text.ranges(of: ": ").first?.lowerBound else { return nil }
        let label = text[..<colon]
        guard label.utf8.count >= 4, !label.contains(where: isQuote), !labelsOfAnyProgram.contains(label.lowercased())
        else { return nil }
        return place(ofOneOf: ["\"", "'"].flatMap { mark in ["\(mark)\(label)\(mark)", "\(mark)\(label):"] })
    }

    private func placeOfProse(in text: String) -> StackFrame? {
        let words = PrintedWords(text)
        guard !words.starts.isEmpty else { return nil }
        let found = lines.lazy.map { ($0, words.countInCommon(with: $0.octets)) }.filter { $0.1 > 0 }.prefix(2)
        guard let (line, count) = found.first, found.dropFirst().isEmpty, count >= PrintedWords.least else {
            return nil
        }
        return frame(line)
    }
}

/// A printed line, to be compared with lines of a source.
private struct PrintedWords {
    private let octets: [UInt8]
    /// Where each run of `seed` octets begins in the words.
    fileprivate private(set) var starts: [UInt64: [Int]] = [:]

    /// The shortest text in common that is looked for: the octets of one number.
    private static let seed = 8
    /// A shorter text may be in any program.
    static let least = 10

    init(_ text: String) {
        octets = Array(text.utf8)
        var run: UInt64 = 0
        for (index, octet) in octets.enumerated() {
            run = run << 8 | UInt64(octet)
            let start = index + 1 - Self.seed
            // A line of one word over and over would take long.
            if start >= 0, starts[run, default: []].count < 4 { starts[run, default: []].append(start) }
        }
    }

    /// The length of the longest text that the line has in common with the words, as a text that the program prints; 0 if there is none.
    func countInCommon(with line: ArraySlice<UInt8>) -> Int {
        var (longest, run) = (0, UInt64(0))
        var end = line.startIndex
        while end < line.endIndex {
            run = run << 8 | UInt64(line[end])
            end += 1
            let place = end - Self.seed
            guard place >= line.startIndex, let found = starts[run] else { continue }
            for start in found {
                // Otherwise it was looked at from the octet before.
                guard start == 0 || place == line.startIndex || octets[start - 1] != line[place - 1] else { continue }
                let common = zip(octets[start...], line[place...]).prefix { $0 == $1 }.count
                guard common > longest, isProse(line[place..<(place + common)]),
                    begins(at: place, in: line), ends(at: place + common, in: line)
                else { continue }
                longest = common
            }
        }
        return longest
    }

    /// Whether it is more than a word: a host's name or an option is none.
    private func isProse(_ text: ArraySlice<UInt8>) -> Bool {
        let words = text.split { !isLetter($0) }
        return words.count { $0.count > 1 } > 1 && text.contains(UInt8(ascii: " ")) || text.count { $0 >= 0x80 } > 8
    }

    /// Whether a text may begin there: after a quotation mark, or after what the program puts in.
    private func begins(at place: Int, in line: ArraySlice<UInt8>) -> Bool {
        guard let first = line[place...].first, let last = line[..<place].last else { return false }
        if isQuote(first) || isQuote(last) || "})>".utf8.contains(last) { return true }
        // `%s`, `$host`, `\n`; a shell's command has its words without a mark.
        var start = place
        while start > line.startIndex, isOfName(line[start - 1]) { start -= 1 }
        if start > line.startIndex, "%$\\".utf8.contains(line[start - 1]) { return true }
        let command = line[..<place].split(separator: 32).last ?? []
        return last == 32 && Self.commands.contains { command.elementsEqual($0.utf8) }
    }

    private static let commands = ["echo", "puts", "print", "printf", "say", "die", "fail", "error", "warn", "log"]

    /// Whether a text may end there: before a quotation mark, before what the program puts in, or at the line's end.
    private func ends(at place: Int, in line: ArraySlice<UInt8>) -> Bool {
        if isQuote(line[place - 1]) { return true }
        let rest = line[place...].drop { " .,:;!?".utf8.contains($0) }
        return rest.first.map { isQuote($0) || "\\{}$%#<>~&|)[".utf8.contains($0) } ?? true
    }
}

/// Labels that runtimes and libraries print as well.
private let labelsOfAnyProgram: Set = [
    "error", "fatal", "fatal error", "warning", "usage", "panic", "info", "debug", "notice", "failed",
]

private func isQuote(_ character: Character) -> Bool { character.asciiValue.map(isQuote) ?? false }

private func isQuote(_ octet: UInt8) -> Bool { "\"'`".utf8.contains(octet) }

private func isLetter(_ octet: UInt8) -> Bool { octet >= 0x80 || (octet | 0x20 >= 97 && octet | 0x20 <= 122) }

private func isOfName(_ octet: UInt8) -> Bool {
    isLetter(octet) || octet >= 48 && octet <= 57 || octet == UInt8(ascii: "_") || octet == UInt8(ascii: ".")
}
