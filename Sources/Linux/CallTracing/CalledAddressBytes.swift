// SPDX-License-Identifier: Apache-2.0
package import Evidence
internal import Wire

extension CalledAddress {
    /// Maximum octets of any socket address (sockaddr_storage).
    package static let sizeLimit = 128

    /// Reads a socket address as the kernel finds it in a program's memory.
    /// - Parameters:
    ///   - octets: the memory's contents; for an Internet address the whole address, even beyond the length that the program passed.
    ///   - length: the length that the program passed.
    package init(_ octets: [UInt8], length: Int) {
        guard octets.count >= 2, length >= 2 else {
            self = .other(family: 0)
            return
        }
        // The family is in host byte order, which is little-endian; port and address are in network byte order.
        let family = Int(octets[0]) | Int(octets[1]) << 8
        switch family {
        case SocketKind.ipv4 where octets.count >= 8:
            self = .ip(.ipv4(IPv4Address(bits: UInt32(bigEndianOctets: octets[4..<8]))), port: Self.port(octets))
        case SocketKind.ipv6 where octets.count >= 24:
            self = .ip(.ipv6(IPv6Address(bits: UInt128(bigEndianOctets: octets[8..<24]))), port: Self.port(octets))
        case SocketKind.unix: self = .unix(Self.path(octets.prefix(length).dropFirst(2)))
        default: self = .other(family: family)
        }
    }

    private static func port(_ octets: [UInt8]) -> UInt16 { UInt16(octets[2]) << 8 | UInt16(octets[3]) }

    /// An abstract name begins with a NUL and extends to the end (unix(7)).
    private static func path(_ octets: ArraySlice<UInt8>) -> String {
        if octets.first == 0, octets.count > 1 {
            return "@" + String(decoding: octets.dropFirst().map { $0 == 0 ? UInt8(ascii: "@") : $0 }, as: UTF8.self)
        }
        return String(decoding: octets.prefix { $0 != 0 }, as: UTF8.self)
    }
}

extension FixedWidthInteger {
    fileprivate init(bigEndianOctets octets: some Sequence<UInt8>) {
        self = octets.reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) }
    }
}
