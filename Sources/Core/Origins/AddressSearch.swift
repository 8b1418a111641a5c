// SPDX-License-Identifier: Apache-2.0
package import Wire

/// Searches untrusted octets for many addresses in linear time, reading about a third of the octets.
///
/// Theory of operation. Text: `WordScan` finds the words that may be an address, in any spelling; each is parsed and looked up. Binary:
/// `NumberTable` finds four octets of an address.
package struct AddressSearch: Sendable {
    /// The kind of octets, which determines the possible forms of an address.
    package enum Contents: Sendable {
        case text
        /// A program's data: addresses also in binary, in either byte order, in unterminated strings, and in UTF-16, the strings of .NET.
        case data
    }

    /// The position of an address.
    package struct Hit: Hashable, Sendable {
        /// Octets from the beginning.
        package var offset: Int
        /// From 1; `nil` in data.
        package var line: Int?
        /// Whether it is there as a text of its own.
        package var isCertain: Bool
    }

    private let sought: SoughtAddresses
    private let numbers: NumberTable
    private let words: WordScan
    private let dottedQuads: [(text: [UInt8], address: IPAddress)]

    package init(_ sought: SoughtAddresses) {
        self.sought = sought
        numbers = NumberTable(sought.all)
        words = WordScan(of: sought.all)
        dottedQuads = sought.all.compactMap { address in
            address.ipv4.map { (text: Array($0.description.utf8), address: .ipv4($0)) }
        }
    }

    /// The first position of each address; a certain one takes precedence over others.
    package func hits(in octets: Span<UInt8>, as contents: Contents) -> [IPAddress: Hit] {
        var found: [IPAddress: Hit] = [:]
        words.forEachWord(in: octets, withWide: contents == .data) { read($0, contents, into: &found) }
        switch contents {
        case .data:
            numbers.forEachAddress(in: octets) { address, offset in
                note(address, at: offset, isCertain: address.ipv6 != nil, in: &found)
            }
        case .text:
            OctetList.forEach(in: octets) { bits, offset in
                let address = IPAddress.ipv4(IPv4Address(bits: bits))
                if sought.contains(address) { note(address, at: offset, isCertain: true, in: &found) }
            }
            Self.addLines(of: octets, to: &found)
        }
        return found
    }

    private func note(_ address: IPAddress, at offset: Int, isCertain: Bool, in found: inout [IPAddress: Hit]) {
        if let other = found[address] {
            if other.isCertain == isCertain ? other.offset <= offset : other.isCertain { return }
        }
        found[address] = Hit(offset: offset, isCertain: isCertain)
    }

    private static func addLines(of octets: Span<UInt8>, to found: inout [IPAddress: Hit]) {
        var (line, offset) = (1, 0)
        for (address, hit) in found.sorted(by: { $0.value.offset < $1.value.offset }) {
            while offset < hit.offset {
                if octets[offset] == UInt8(ascii: "\n") { line += 1 }
                offset += 1
            }
            found[address]?.line = line
        }
    }

    private func read(_ word: WordScan.Word, _ contents: Contents, into found: inout [IPAddress: Hit]) {
        let colon = UInt8(ascii: ":")
        let isDelimited =
            (word.octets.first == colon || !Self.continuesName(word.before.1))
            && (word.octets.last == colon || !Self.continuesName(word.next))
        func hit(_ address: IPAddress?, isCertain: Bool) -> Bool {
            guard let address else { return false }
            for form in sought.forms(of: address) where sought.contains(form) {
                note(form, at: word.offset, isCertain: isCertain, in: &found)
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
        // The address has a port after it, or a word before it.
        for piece in text.split(separator: UInt8(ascii: ":")).map({ Array($0).trimmed(of: UInt8(ascii: ".")) }) {
            if hit(piece.address, isCertain: isDelimited) || contents != .data { continue }
            // Adjacent strings: the text before and after the address belongs to others.
            for (quad, address) in dottedQuads where piece.contains(quad) {
                note(address, at: word.offset, isCertain: false, in: &found)
            }
        }
    }

    /// Whether this octet next to a word continues it.
    private static func continuesName(_ octet: UInt8) -> Bool {
        switch octet {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "_"): true
        default: false
        }
    }
}

extension [UInt8] {
    /// The octets parsed as a text.
    fileprivate var address: IPAddress? { IPAddress(String(decoding: self, as: UTF8.self)) }

    fileprivate func trimmed(of octet: UInt8) -> [UInt8] {
        var rest = self[...]
        while rest.first == octet { rest.removeFirst() }
        while rest.last == octet { rest.removeLast() }
        return Array(rest)
    }
}
