// SPDX-License-Identifier: Apache-2.0
/// The type bit maps of NSEC and NSEC3 (RFC 4034 §4.1.2): windows of 256 types each, of which only the used octets are present.
///
///     +--------+--------+----------------+
///     | window | length | bitmap (1-32)  |  and so on
///     +--------+--------+----------------+
enum TypeBitmap {
    static func encode(_ types: [RecordType]) -> [UInt8] {
        var windows: [UInt8: [UInt8]] = [:]
        for type in types {
            let octet = Int(type.rawValue & 0xff) / 8
            var bitmap = windows[UInt8(type.rawValue >> 8)] ?? []
            while bitmap.count <= octet { bitmap.append(0) }
            bitmap[octet] |= 0x80 >> UInt8(type.rawValue & 7)
            windows[UInt8(type.rawValue >> 8)] = bitmap
        }
        return windows.sorted { $0.key < $1.key }.flatMap { [$0.key, UInt8($0.value.count)] + $0.value }
    }

    /// `nil` if the octets are not bit maps.
    static func decode(_ octets: ArraySlice<UInt8>) -> [RecordType]? {
        var types: [RecordType] = []
        var rest = octets
        while let window = rest.popFirst() {
            guard let length = rest.popFirst(), (1...32).contains(length), length <= rest.count else { return nil }
            for (index, octet) in rest.prefix(Int(length)).enumerated() {
                for bit in 0..<8 where octet & (0x80 >> UInt8(bit)) != 0 {
                    types.append(RecordType(rawValue: UInt16(window) << 8 | UInt16(index * 8 + bit)))
                }
            }
            rest = rest.dropFirst(Int(length))
        }
        return types
    }
}
