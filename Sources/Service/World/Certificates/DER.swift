// SPDX-License-Identifier: Apache-2.0
/// The distinguished encoding rules of ASN.1 (X.690), as far as names and key stores need them.
enum DER {
    static func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        if contents.count < 0x80 { return [tag, UInt8(contents.count)] + contents }
        let length = (0..<4).reversed().map { UInt8(truncatingIfNeeded: contents.count >> ($0 * 8)) }.drop { $0 == 0 }
        return [tag, 0x80 | UInt8(length.count)] + length + contents
    }

    /// The contents of the first element, and the octets after it; `nil` if the first element has another tag or is cut off.
    static func contents(
        of octets: ArraySlice<UInt8>, _ tag: UInt8
    ) -> (value: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)? {
        guard octets.count >= 2, octets.first == tag, let first = octets.dropFirst().first else { return nil }
        var rest = octets.dropFirst(2)
        var length = Int(first)
        if first >= 0x80 {
            let count = Int(first & 0x7f)
            guard (1...4).contains(count), rest.count >= count else { return nil }
            length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(count)
        }
        guard rest.count >= length else { return nil }
        return (rest.prefix(length), rest.dropFirst(length))
    }
}
