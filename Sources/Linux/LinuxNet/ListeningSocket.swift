// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// A TCP socket that listens in this process's network namespace, whoever it belongs to (sock_diag(7)).
package struct ListeningSocket: Hashable, Sendable {
    package let address: SocketAddress
    /// Of an IPv6 socket, whether it takes no IPv4 (IPV6_V6ONLY).
    package let isIPv6Only: Bool
    /// Tells it from every other socket.
    package let inode: UInt64

    /// How many are looked at.
    private static let limit = 4096

    package static func all() throws(SystemError) -> [ListeningSocket] {
        var found = [clinux_listener](repeating: clinux_listener(), count: limit)
        let count = unsafe found.withUnsafeMutableBufferPointer {
            unsafe clinux_find_listeners($0.baseAddress, $0.count)
        }
        if count < 0 { throw .last("NETLINK_SOCK_DIAG") }
        return found.prefix(Int(count)).compactMap { raw in
            SocketAddress(raw.address).map {
                ListeningSocket(address: $0, isIPv6Only: raw.is_ipv6_only, inode: raw.inode)
            }
        }
    }
}
