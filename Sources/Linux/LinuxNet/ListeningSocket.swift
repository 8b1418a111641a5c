// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// A listening TCP socket of any process (sock_diag(7)).
package struct ListeningSocket: Hashable, Sendable {
    package let address: SocketAddress
    /// For an IPv6 socket, whether it refuses IPv4 (IPV6_V6ONLY).
    package let isIPv6Only: Bool
    /// Identifies the socket.
    package let inode: UInt64

    /// All listening sockets of this process's network namespace.
    package static func all() throws(SystemError) -> [ListeningSocket] { try SocketDiagnosis().listening() }
}

/// The kernel's information about the sockets of a network namespace.
package struct SocketDiagnosis: ~Copyable {
    private let netlink: Descriptor

    /// Maximum number of sockets that are read.
    private static let limit = 4096

    /// Uses the calling thread's current namespace, even if the thread enters another one later.
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
