// SPDX-License-Identifier: Apache-2.0
package import Wire

/// A socket address as a program handed it to the kernel.
package enum CalledAddress: Codable, Hashable, Sendable {
    /// AF_INET and AF_INET6; an IPv4-mapped address stays an IPv6 address.
    case ip(IPAddress, port: UInt16)
    /// A path; an abstract name has `@` for its NUL.
    case unix(String)
    /// Another family, or an address whose length does not fit its family.
    case other(family: Int)

    package var ip: IPAddress? {
        if case .ip(let address, _) = self { address } else { nil }
    }

    package var port: UInt16? {
        if case .ip(_, let port) = self { port } else { nil }
    }
}

/// The kind of a socket, in Linux's numbers.
package struct SocketKind: Codable, Hashable, Sendable {
    package var family: Int
    /// Without the flags of socket(2).
    package var type: Int
    package var `protocol`: Int

    package init(family: Int, type: Int, protocol: Int = 0) {
        self.family = family
        self.type = type
        self.protocol = `protocol`
    }

    package static let unix = 1
    package static let ipv4 = 2
    package static let ipv6 = 10
    package static let netlink = 16
    package static let packet = 17
    package static let stream = 1
    package static let datagram = 2
    package static let raw = 3
}
