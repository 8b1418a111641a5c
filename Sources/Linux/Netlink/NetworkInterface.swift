// SPDX-License-Identifier: Apache-2.0
/// A network interface, as it was when asked for.
package struct NetworkInterface: Hashable, Sendable {
    /// The number by which the kernel knows an interface, in one network namespace.
    package struct Index: Hashable, Sendable {
        package let number: Int32

        package init(_ number: Int32) {
            self.number = number
        }

        /// The kernel makes `lo` first in every network namespace.
        package static let loopback = Index(1)
    }

    package let index: Index
    package let name: String
    package let mtu: Int
    package let isUp: Bool
    /// Whether it is a port of another one, as a bridge's.
    package let isPort: Bool
    /// Whether packets can cross it (IFF_RUNNING).
    package let isRunning: Bool
}

extension NetworkInterface.Index: CustomStringConvertible {
    package var description: String { "#\(number)" }
}

/// What `RouteSocket.change` changes; what is nil stays.
package struct LinkChange: Hashable, Sendable {
    package var isUp: Bool?
    package var mtu: Int?
    /// False: the kernel gives the link no link-local address, and so sends no router solicitations on it.
    package var generatesLinkLocalAddress: Bool?

    /// False (IFF_NOARP): the kernel asks for no neighbour's address, and for no duplicate of its own.
    package var resolvesNeighbours: Bool?
    /// True: what comes by the link from an IPv4 address of this host is taken (accept_local in ip-sysctl), and not a martian.
    package var acceptsOwnSources: Bool?
    /// False: what comes by the link is taken wherever the routes have its IPv4 source (rp_filter in ip-sysctl), unless the setting for
    /// all links says more: the larger of the two counts.
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
