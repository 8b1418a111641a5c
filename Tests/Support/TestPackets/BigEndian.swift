// SPDX-License-Identifier: Apache-2.0
package import Wire

/// The octets of a number in the order of the wire.
package func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    (0..<number.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
}

package func bigEndian(_ address: IPv4Address) -> [UInt8] { bigEndian(address.bits) }

package func bigEndian(_ address: IPv6Address) -> [UInt8] { (0..<16).map(address.octet) }

/// Reads hex digits; spaces and line ends group them.
package func hex(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    precondition(digits.count % 2 == 0)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}
