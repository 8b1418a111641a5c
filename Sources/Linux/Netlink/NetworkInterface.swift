// SPDX-License-Identifier: Apache-2.0
/// A network interface, as it was at the time of the request.
package struct NetworkInterface: Hashable, Sendable {
    /// The kernel's number of an interface, unique within its network namespace.
    package struct Index: Hashable, Sendable {
        package let number: Int32

        package init(_ number: Int32) {
            self.number = number
        }

        /// The kernel makes `lo` first in each network namespace.
        package static let loopback = Index(1)
    }

    package let index: Index
    package let name: String
    package let mtu: Int
    package let isUp: Bool
    /// Whether it is a port of another interface, such as a bridge.
    package let isPort: Bool
    /// Whether packets can cross it (IFF_RUNNING).
    package let isRunning: Bool
}

extension NetworkInterface.Index: CustomStringConvertible {
    package var description: String { "#\(number)" }
}

/// Changes for `RouteSocket.change`; properties that are nil do not change.
package struct LinkChange: Hashable, Sendable {
    package var isUp: Bool?
    package var mtu: Int?
    /// False: the kernel gives the link no link-local address, and so sends no router solicitations on it.
    package var generatesLinkLocalAddress: Bool?

    /// False (IFF_NOARP): the kernel sends no neighbour solicitations, and does no duplicate address detection.
    package var resolvesNeighbours: Bool?
    /// True: the kernel accepts packets from an IPv4 address of this host that arrive by the link (accept_local in ip-sysctl).
    package var acceptsOwnSources: Bool?
    /// False: the kernel accepts packets that arrive by the link wherever the routes to their IPv4 source lead (rp_filter in ip-sysctl),
    /// unless the setting for all links is stricter: the larger of the two applies.
    package var checksSources: Bool?

    package init(
        isUp: Bool? = nil, mtu: Int? = nil, generatesLinkLocalAddress: Bool? = nil,
        resolvesNeighbours: Bool? = nil, acceptsOwnSources: Bool? = nil, checksSources: Bool? = nil
    ) {
        self.acceptsOwnSources = acceptsOwnSources
        self.checksSources = checksSources
        self.isUp = isUp
        self.resolvesNeighbours = resolvesNeighbours
        self.mtu = mtu
        self.generatesLinkLocalAddress = generatesLinkLocalAddress
    }
}
