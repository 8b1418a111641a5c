// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// A TCP socket that listens, whoever it belongs to (sock_diag(7)).
package struct ListeningSocket: Hashable, Sendable {
    package let address: SocketAddress
    /// Of an IPv6 socket, whether it takes no IPv4 (IPV6_V6ONLY).
    package let isIPv6Only: Bool
    /// Tells it from every other socket.
    package let inode: UInt64

    /// Those of this process's network namespace.
    package static func all() throws(SystemError) -> [ListeningSocket] { try SocketDiagnosis().listening() }
}

/// What the kernel tells of the sockets of a network namespace.
package struct SocketDiagnosis: ~Copyable {
    private let netlink: Descriptor

    /// How many are looked at.
    private static let limit = 4096

    /// Of the namespace in which the calling thread is now, whatever it enters later.
    package init() throws(SystemError) {
        let number = clinux_open_socket_diagnosis()
        if number < 0 { throw .last("socket(NETLINK_SOCK_DIAG)") }
        netlink = Descriptor(owning: number)
    }

    package borrowing func listening() throws(SystemError) -> [ListeningSocket] {
        let number = netlink.number
        var found = [clinux_listener](repeating: clinux_listener(), count: Self.limit)
        let count = unsafe found.withUnsafeMutableBufferPointer {
            unsafe clinux_find_listeners(number, $0.baseAddress, $0.count)
        }
        if count < 0 { throw .last("NETLINK_SOCK_DIAG") }
        return found.prefix(Int(count)).compactMap { raw in
            SocketAddress(raw.address).map {
                ListeningSocket(address: $0, isIPv6Only: raw.is_ipv6_only, inode: raw.inode)
            }
        }
    }
}
