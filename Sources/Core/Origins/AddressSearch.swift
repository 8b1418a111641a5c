// SPDX-License-Identifier: Apache-2.0
package import Wire

/// Looks for many addresses in octets of anyone's, in one pass: its time grows with the octets alone.
///
/// Theory of operation. Text: a run of hexadecimal digits, dots and colons is a word; one that could be an address is read as one, in any
/// spelling, and looked up. Binary: four octets are a number that slides along; a table of its upper half tells
/// nearly always that it is none of those that are looked for.
package struct AddressSearch: Sendable {
    /// What the octets are, which says how an address may stand in them.
    package enum Contents: Sendable {
        case text
        /// Data of a program: also in binary, in either order, as strings that nothing ends, and in UTF-16, as .NET has strings.
        case data
    }

    /// Where an address stands.
    package struct Hit: Hashable, Sendable {
        /// Octets from the beginning.
        package var offset: Int
        /// From 1.
        package var line: Int
        /// Whether it is there as text, by itself.
        package var isCertain: Bool
    }

    private let sought: SoughtAddresses
    private let numbers: NumberTable
    private let dottedQuads: [(text: [UInt8], address: IPAddress)]

    /// Octets of a word that may hold an address: the longest address, what stands before it and its port.
    private static let wordLimit = 128

    package init(_ sought: SoughtAddresses) {
        self.sought = sought
        numbers = NumberTable(sought.all)
        dottedQuads = sought.all.compactMap { address in
            address.ipv4.map { (text: Array($0.description.utf8), address: .ipv4($0)) }
        }
    }

    /// The first place of each address; one that is certain goes before those that are not.
    package func hits(in octets: some Collection<UInt8>, as contents: Contents) -> [IPAddress: Hit] {
        var found: [IPAddress: Hit] = [:]
        var line = 1
        var window: UInt32 = 0
        var offset = 0
        var word = Word()
        var wide = WideWord()
        let isBinary = contents != .text
        var list = OctetList()
        for octet in octets {
            if !isBinary, let bits = list.append(octet, at: offset) {
                note(bits, at: list.start, line: line, in: &found)
            }
            if isBinary {
                window = window << 8 | UInt32(octet)
                if offset >= 3, numbers.mayHave(window) {
                    for entry in numbers.entries(window) {
                        let (address, start) = (entry.address, offset + 1 - entry.end)
                        if start >= 0, address.ipv6 == nil || Self.has(address, octets, at: start) {
                            note(address, Hit(offset: start, line: line, isCertain: address.ipv6 != nil), in: &found)
                        }
                    }
                }
            }
            if isBinary, let ended = wide.append(octet, at: offset) {
                read(ended, before: 0, line: line, contents, into: &found)
            }
            if Self.isWordCharacter(octet) {
                word.append(octet, at: offset)
            } else {
                if word.isCandidate { read(word, before: octet, line: line, contents, into: &found) }
                word.end(with: octet)
                if octet == UInt8(ascii: "\n") { line += 1 }
            }
            offset += 1
        }
        for word in [word, wide.word] where word.isCandidate {
            read(word, before: 0, line: line, contents, into: &found)
        }
        if !isBinary, let bits = list.append(0, at: offset) { note(bits, at: list.start, line: line, in: &found) }
        return found
    }

    private static func has(_ address: IPAddress, _ octets: some Collection<UInt8>, at offset: Int) -> Bool {
        octets.dropFirst(offset).prefix(16).elementsEqual(address.octets)
    }

    private func note(_ address: IPAddress, _ hit: Hit, in found: inout [IPAddress: Hit]) {
        if let earlier = found[address], earlier.isCertain || !hit.isCertain { return }
        found[address] = hit
    }

    private func note(_ bits: UInt32, at offset: Int, line: Int, in found: inout [IPAddress: Hit]) {
        let address = IPAddress.ipv4(IPv4Address(bits: bits))
        if sought.contains(address) { note(address, Hit(offset: offset, line: line, isCertain: true), in: &found) }
    }

    // MARK: - Words

    /// Hexadecimal digits, `.` and `:`.
    private static func isWordCharacter(_ octet: UInt8) -> Bool {
        switch octet {
        // 0 to 9, and the colon behind them
        case 0x30...0x3a, 0x41...0x46, 0x61...0x66, UInt8(ascii: "."): true
        default: false
        }
    }

    private struct Word {
        var octets: [UInt8] = []
        var offset = 0
        /// What stands before it, the nearest last.
        var before: (UInt8, UInt8) = (0, 0)
        var dots = 0
        var colons = 0

        mutating func append(_ octet: UInt8, at offset: Int) {
            if octets.isEmpty { self.offset = offset }
            if octet == UInt8(ascii: ".") { dots += 1 }
            if octet == UInt8(ascii: ":") { colons += 1 }
            if octets.count <= AddressSearch.wordLimit { octets.append(octet) }
        }

        mutating func end(with octet: UInt8) {
            before = (octets.last ?? before.1, octet)
            if octets.isEmpty { return }
            octets.removeAll(keepingCapacity: true)
            (dots, colons) = (0, 0)
        }

        /// `0x` stands before it. The 0 is a word of its own.
        var isHexadecimal: Bool { before == (UInt8(ascii: "0"), UInt8(ascii: "x")) }

        var isCandidate: Bool {
            (3...AddressSearch.wordLimit).contains(octets.count)
                && (dots >= 3 || colons >= 2 || dots + colons == 0 && (7...10).contains(octets.count))
        }
    }

    /// A word in UTF-16 with the lower octet first: after each of its octets stands a zero.
    private struct WideWord {
        private(set) var word = Word()
        private var last: UInt8 = 0
        /// Where its next octet has to stand.
        private var next = 0

        /// - Returns: the word before this octet, if that has ended it.
        mutating func append(_ octet: UInt8, at offset: Int) -> Word? {
            defer { last = octet }
            guard octet == 0, AddressSearch.isWordCharacter(last) else { return nil }
            let ended = next == offset - 1 ? nil : word
            if ended != nil { word = Word() }
            word.append(last, at: offset - 1)
            next = offset + 1
            return ended.flatMap { $0.isCandidate ? $0 : nil }
        }
    }

    private func read(
        _ word: Word, before next: UInt8, line: Int, _ contents: Contents, into found: inout [IPAddress: Hit]
    ) {
        let colon = UInt8(ascii: ":")
        let isDelimited =
            (word.octets.first == colon || !Self.continuesName(word.before.1))
            && (word.octets.last == colon || !Self.continuesName(next))
        func hit(_ address: IPAddress?, isCertain: Bool) -> Bool {
            guard let address else { return false }
            for form in sought.forms(of: address) where sought.contains(form) {
                note(form, Hit(offset: word.offset, line: line, isCertain: isCertain), in: &found)
            }
            return true
        }
        if word.dots + word.colons == 0 {
            let digits = String(decoding: word.octets, as: UTF8.self)
            let number = word.isHexadecimal ? UInt32(digits, radix: 16) : isDelimited ? UInt32(digits) : nil
            _ = hit(number.map { .ipv4(IPv4Address(bits: $0)) }, isCertain: false)
            return
        }
        let text = word.octets.trimmed(of: UInt8(ascii: "."))
        let wholes = [text, text.trimmed(of: UInt8(ascii: ":"))]
        if wholes.contains(where: { hit($0.address, isCertain: isDelimited) }) || word.dots < 3 { return }
        // A port, or a word before it.
        for piece in text.split(separator: UInt8(ascii: ":")).map({ Array($0).trimmed(of: UInt8(ascii: ".")) }) {
            if hit(piece.address, isCertain: isDelimited) || contents != .data { continue }
            // Strings side by side: what is before and behind the address belongs to others.
            for (quad, address) in dottedQuads where piece.contains(quad) {
                note(address, Hit(offset: word.offset, line: line, isCertain: false), in: &found)
            }
        }
    }

    /// Whether what stands beside this makes one word with it.
    private static func continuesName(_ octet: UInt8) -> Bool {
        switch octet {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "_"): true
        default: false
        }
    }
}

extension [UInt8] {
    /// Read as text.
    fileprivate var address: IPAddress? { IPAddress(String(decoding: self, as: UTF8.self)) }

    fileprivate func trimmed(of octet: UInt8) -> [UInt8] {
        var rest = self[...]
        while rest.first == octet { rest.removeFirst() }
        while rest.last == octet { rest.removeLast() }
        return Array(rest)
    }
}
