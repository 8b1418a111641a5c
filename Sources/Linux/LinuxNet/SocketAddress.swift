// SPDX-License-Identifier: Apache-2.0
internal import CLinux
package import Wire

/// An address of either family with a port.
package struct SocketAddress: Hashable, Sendable {
    package var host: IPAddress
    package var port: UInt16
    /// The interface's index, for a link-local address; otherwise 0.
    package var scope: UInt32

    package init(_ host: IPAddress, port: UInt16, scope: UInt32 = 0) {
        self.host = host
        self.port = port
        self.scope = scope
    }

    package init(_ address: IPv4Address, port: UInt16) {
        self.init(.ipv4(address), port: port)
    }

    package init(_ address: IPv6Address, port: UInt16, scope: UInt32 = 0) {
        self.init(.ipv6(address), port: port, scope: scope)
    }
}

extension SocketAddress: CustomStringConvertible {
    package var description: String { host.description(port: port) }
}

extension SocketAddress {
    /// Whether it is the unspecified address of its family.
    var isUnspecified: Bool {
        switch host {
        case .ipv4(let address): address.bits == 0
        case .ipv6(let address): address == .unspecified
        }
    }

    /// Whether a socket that listens at this address may be reached at 127.0.0.1 or ::1.
    package var servesLoopback: Bool {
        switch host {
        case .ipv4(let address): address.bits == 0 || address == IPv4Address(127, 0, 0, 1)
        case .ipv6(let address): address == .unspecified || address == .loopback
        }
    }

    /// 4 or 6.
    package var family: Int32 {
        switch host {
        case .ipv4: 4
        case .ipv6: 6
        }
    }

    /// `nil` if the kernel returned no address.
    init?(_ address: clinux_address) {
        switch address.family {
        case 4:
            self.init(IPv4Address(bits: UInt32(truncatingIfNeeded: address.low)), port: address.port)
        case 6:
            let bits = UInt128(address.high) << 64 | UInt128(address.low)
            self.init(IPv6Address(bits: bits), port: address.port, scope: address.scope)
        default:
            return nil
        }
    }

    var raw: clinux_address {
        switch host {
        case .ipv4(let address):
            clinux_address(high: 0, low: UInt64(address.bits), scope: 0, port: port, family: 4)
        case .ipv6(let address):
            clinux_address(
                high: UInt64(truncatingIfNeeded: address.bits >> 64), low: UInt64(truncatingIfNeeded: address.bits),
                scope: scope, port: port, family: 6)
        }
    }
}
