// SPDX-License-Identifier: Apache-2.0
package import Wire

/// The sum that RFC 1071 §1 describes, word by word: the twin that the fast one is compared with.
package func slowSum(_ octets: [UInt8]) -> UInt16 {
    var sum = 0
    for index in stride(from: 0, to: octets.count, by: 2) {
        sum += Int(octets[index]) << 8 | (index + 1 < octets.count ? Int(octets[index + 1]) : 0)
    }
    while sum > 0xffff { sum = (sum & 0xffff) + (sum >> 16) }
    return UInt16(sum)
}

/// The checksum: zero over octets that hold the right one.
package func slowChecksum(_ octets: [UInt8]) -> UInt16 { ~slowSum(octets) }

/// The pseudo-header of either family: what they sum is the same (RFC 8200 §8.1).
package func pseudoHeader(
    _ source: [UInt8], _ destination: [UInt8], _ protocolNumber: UInt8, _ length: Int
) -> [UInt8] {
    source + destination + bigEndian(UInt32(length)) + [0, 0, 0, protocolNumber]
}

package func pseudoHeader(
    _ source: IPv4Address, _ destination: IPv4Address, _ protocolNumber: UInt8, _ length: Int
) -> [UInt8] {
    pseudoHeader(bigEndian(source), bigEndian(destination), protocolNumber, length)
}

package func pseudoHeader(
    _ source: IPv6Address, _ destination: IPv6Address, _ protocolNumber: UInt8, _ length: Int
) -> [UInt8] {
    pseudoHeader(bigEndian(source), bigEndian(destination), protocolNumber, length)
}
