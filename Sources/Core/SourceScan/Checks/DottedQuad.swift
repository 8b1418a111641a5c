// SPDX-License-Identifier: Apache-2.0
/// The text of an IPv4 address: four decimal numbers with dots.
struct DottedQuad {
    let octets: (UInt8, UInt8, UInt8, UInt8)
    let range: Range<Int>

    /// The one that begins at `start` and is not followed by a digit, letter or dot; `nil` if there is none.
    init?(_ text: ArraySlice<UInt8>, at start: Int) {
        var numbers: [UInt8] = []
        var place = start
        while true {
            var number = 0
            let first = place
            while place < text.endIndex, text[place].isDigit, place - first < 3 {
                number = number * 10 + Int(text[place] - 0x30)
                place += 1
            }
            guard place > first, number < 256, place == first + 1 || text[first] != 0x30 else { return nil }
            numbers.append(UInt8(number))
            if numbers.count == 4 { break }
            guard place < text.endIndex, text[place] == .dot else { return nil }
            place += 1
        }
        if place < text.endIndex, text[place].isDigit || text[place].isIdentifier || text[place] == .dot { return nil }
        octets = (numbers[0], numbers[1], numbers[2], numbers[3])
        range = start..<place
    }

    /// Whether it can be the address of a remote host: not this network, this machine, a mask, or for documentation (RFC 5737).
    var isRemote: Bool {
        switch octets {
        case (0, _, _, _), (127, _, _, _), (255, _, _, _): false
        case (192, 0, 2, _), (198, 51, 100, _), (203, 0, 113, _): false
        // The form of a mask or of a network, not of a host.
        case (_, 0, 0, 0), (_, 255, 255, _), (_, _, _, 0), (_, _, _, 255): false
        // Multicast groups, and addresses that have never been assigned.
        case (224..., _, _, _): false
        // The object identifiers of X.500, which are frequent in certificates.
        case (2, 5, _, _): false
        default: !looksLikeVersion
        }
    }

    var isUnspecified: Bool { octets == (0, 0, 0, 0) }

    /// Four single digits, as in a version; but some public resolvers have such an address, too.
    private var looksLikeVersion: Bool {
        switch octets {
        case (1, 1, 1, 1), (1, 0, 0, 1), (8, 8, 8, 8), (8, 8, 4, 4), (9, 9, 9, 9), (4, 2, 2, _): false
        default: octets.0 < 10 && octets.1 < 10 && octets.2 < 10 && octets.3 < 10
        }
    }
}
