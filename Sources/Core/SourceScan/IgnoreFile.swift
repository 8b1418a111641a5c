// SPDX-License-Identifier: Apache-2.0
/// A file `.gitignore` (gitignore(5)): the files and folders below its own folder that are no part of the project.
///
/// Blank lines, comments, `!`, `/` at the start, in the middle and at the end, `*`, `?`, `[…]`, `**` and `\` are read as by git. Paths
/// below an ignored folder are never checked, so a later `!` does not include them again, as with git.
package struct IgnoreFile: Sendable {
    private enum Element: Sendable {
        case octet(UInt8)
        /// `?`
        case any
        /// `*`: any number of octets other than a slash.
        case star
        /// `**`: any number of octets.
        case deep
        /// `**/`: nothing, or anything that ends in a slash.
        case folders
        case set([ClosedRange<UInt8>], isNegated: Bool)
    }

    private struct Pattern: Sendable {
        let elements: [Element]
        let isNegated: Bool
        let isForFolders: Bool
        /// A pattern without a slash matches the name alone, in any folder.
        let isForName: Bool
    }

    private var patterns: [Pattern] = []

    /// Further lines are ignored, and so are lines with more than this many octets.
    private static let lineLimit = 4096
    private static let octetLimit = 1024

    package init(_ text: [UInt8]) {
        for line in text.split(separator: .newline).prefix(Self.lineLimit) where line.count <= Self.octetLimit {
            if let pattern = Self.pattern(line) { patterns.append(pattern) }
        }
    }

    /// Whether this file ignores a path relative to its folder; `nil` if no pattern matches it. The last matching pattern decides.
    package func ignores(_ path: some Collection<UInt8>, isFolder: Bool) -> Bool? {
        let path = Array(path)
        let name = path.lastIndex(of: .slash).map { Array(path[($0 + 1)...]) } ?? path
        let last = patterns.last { pattern in
            (isFolder || !pattern.isForFolders) && Self.matches(pattern.elements, pattern.isForName ? name : path)
        }
        return last.map { !$0.isNegated }
    }

    private static func pattern(_ line: ArraySlice<UInt8>) -> Pattern? {
        var line = line
        if line.last == .return { line.removeLast() }
        while line.last == .space, line.dropLast().last != .backslash { line.removeLast() }
        guard let first = line.first, first != .hash else { return nil }
        let isNegated = first == UInt8(ascii: "!")
        if isNegated { line.removeFirst() }
        let isForFolders = line.last == .slash
        if isForFolders { line.removeLast() }
        let isForName = !line.contains(.slash)
        if line.first == .slash { line.removeFirst() }
        guard !line.isEmpty, let elements = elements(Array(line)) else { return nil }
        return Pattern(elements: elements, isNegated: isNegated, isForFolders: isForFolders, isForName: isForName)
    }

    /// `nil` for a pattern that matches nothing: one that ends in a backslash, or whose bracket is not closed.
    private static func elements(_ line: [UInt8]) -> [Element]? {
        var elements: [Element] = []
        var place = 0
        while place < line.count {
            let octet = line[place]
            place += 1
            switch octet {
            case .backslash:
                guard place < line.count else { return nil }
                elements.append(.octet(line[place]))
                place += 1
            case UInt8(ascii: "?"): elements.append(.any)
            case .star:
                let start = place - 1
                while place < line.count, line[place] == .star { place += 1 }
                let isWhole =
                    place - start == 2 && (start == 0 || line[start - 1] == .slash)
                    && (place == line.count || line[place] == .slash)
                guard isWhole else {
                    elements.append(.star)
                    continue
                }
                elements.append(place == line.count ? .deep : .folders)
                if place < line.count { place += 1 }
            case .openingBracket:
                guard let (set, end) = set(line, from: place) else { return nil }
                elements.append(set)
                place = end
            default: elements.append(.octet(octet))
            }
        }
        return elements
    }

    /// The set between brackets, and the position after it.
    private static func set(_ line: [UInt8], from start: Int) -> (Element, Int)? {
        var place = start
        let isNegated = place < line.count && (line[place] == UInt8(ascii: "!") || line[place] == UInt8(ascii: "^"))
        if isNegated { place += 1 }
        let first = place
        var ranges: [ClosedRange<UInt8>] = []
        while place < line.count {
            if line[place] == .closingBracket, place > first {
                return (.set(ranges, isNegated: isNegated), place + 1)
            }
            if line[place] == .backslash { place += 1 }
            guard place < line.count else { return nil }
            let low = line[place]
            place += 1
            if place + 1 < line.count, line[place] == UInt8(ascii: "-"), line[place + 1] != .closingBracket {
                let high = line[place + 1]
                if low <= high { ranges.append(low...high) }
                place += 2
            } else {
                ranges.append(low...low)
            }
        }
        return nil
    }

    /// Takes the time of one table, at most the product of both lengths.
    private static func matches(_ elements: [Element], _ path: [UInt8]) -> Bool {
        // row[i]: whether the elements so far match the first i octets of the path.
        var row = [Bool](repeating: false, count: path.count + 1)
        row[0] = true
        for element in elements {
            var next = [Bool](repeating: false, count: path.count + 1)
            var seen = false
            switch element {
            case .star, .deep: next[0] = row[0]
            case .folders:
                next[0] = row[0]
                seen = row[0]
            default: break
            }
            for index in path.indices {
                let octet = path[index]
                switch element {
                case .octet(let wanted): next[index + 1] = row[index] && octet == wanted
                case .any: next[index + 1] = row[index] && octet != .slash
                case .star: next[index + 1] = row[index + 1] || next[index] && octet != .slash
                case .deep: next[index + 1] = row[index + 1] || next[index]
                case .folders:
                    next[index + 1] = row[index + 1] || octet == .slash && seen
                    seen = seen || row[index + 1]
                case .set(let ranges, let isNegated):
                    next[index + 1] =
                        row[index] && octet != .slash && ranges.contains { $0.contains(octet) } != isNegated
                }
            }
            row = next
            // Most patterns fail at their first octet.
            if !row.contains(true) { return false }
        }
        return row[path.count]
    }
}
