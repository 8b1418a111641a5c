// SPDX-License-Identifier: Apache-2.0
import Wire

/// Finds words that may be an address: runs of hexadecimal digits, dots and colons.
///
/// Theory of operation. Every word of n octets or more contains one of the n-th, 2n-th, … octets. The scan reads only those, and reads a word
/// in both directions from such an octet.
struct WordScan: Sendable {
    struct Word {
        var octets: [UInt8] = []
        /// Offset of its first octet.
        var offset: Int
        /// The two octets before it and the octet after it; 0 if there is none.
        var before: (UInt8, UInt8) = (0, 0)
        var next: UInt8 = 0
        var dots = 0
        var colons = 0

        /// Whether it follows `0x`.
        var isHexadecimal: Bool { before == (UInt8(ascii: "0"), UInt8(ascii: "x")) }

        fileprivate var isCandidate: Bool {
            dots >= 3 || colons >= 2 || dots + colons == 0 && (7...10).contains(octets.count)
        }
    }

    /// Octets of the shortest spelling of any of the addresses.
    private let shortest: Int
    /// The maximum length of a word that is read, in octets: the longest address with a prefix and a port.
    private static let longest = 128

    init(of addresses: [IPAddress]) {
        // IPv4: seven octets, as in 1.1.1.1, and decimal. IPv6: "::" for a single group is one octet shorter than RFC 5952 §4.2.2 has it.
        let lengths = addresses.map { $0.ipv6 == nil ? 7 : "\($0)".utf8.count - 1 }
        shortest = max(2, lengths.reduce(7, min))
    }

    /// Calls `body` with each word that may be an address.
    /// - Parameter withWide: also finds words in UTF-16LE, whose every second octet is zero.
    func forEachWord(in octets: Span<UInt8>, withWide: Bool, _ body: (Word) -> Void) {
        var wideEnd = 0
        var at = shortest - 1
        while at < octets.count {
            let octet = octets[at]
            let isWord = Self.isWordCharacter(octet)
            if withWide, wideEnd <= at {
                if isWord
                    ? at + 1 < octets.count && octets[at + 1] == 0 : octet == 0 && Self.isWordCharacter(octets[at - 1])
                {
                    wideEnd = read(octets, at: isWord ? at : at - 1, step: 2, body)
                }
            }
            at = (isWord ? read(octets, at: at, step: 1, body) : at) + shortest
        }
    }

    /// - Returns: the offset after the word.
    private func read(_ octets: Span<UInt8>, at place: Int, step: Int, _ body: (Word) -> Void) -> Int {
        func isWord(_ place: Int) -> Bool {
            Self.isWordCharacter(octets[place]) && (step == 1 || octets[place + 1] == 0)
        }
        var (start, end) = (place, place + step)
        while start >= step, isWord(start - step) { start -= step }
        while end + step <= octets.count, isWord(end) { end += step }
        guard (shortest...Self.longest).contains((end - start) / step) else { return end }
        var word = Word(offset: start)
        for place in stride(from: start, to: end, by: step) {
            let octet = octets[place]
            if octet == UInt8(ascii: ".") { word.dots += 1 }
            if octet == UInt8(ascii: ":") { word.colons += 1 }
            word.octets.append(octet)
        }
        guard word.isCandidate else { return end }
        if step == 1 {
            word.before = (start < 2 ? 0 : octets[start - 2], start < 1 ? 0 : octets[start - 1])
            word.next = end < octets.count ? octets[end] : 0
        }
        body(word)
        return end
    }

    /// Hexadecimal digits, `.` and `:`.
    private static func isWordCharacter(_ octet: UInt8) -> Bool {
        switch octet {
        // 0 to 9, and the colon after them
        case 0x30...0x3a, 0x41...0x46, 0x61...0x66, UInt8(ascii: "."): true
        default: false
        }
    }
}
