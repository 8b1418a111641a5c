// SPDX-License-Identifier: Apache-2.0
package import Topology
package import Wire

/// The client's link as its router advertises it.
package struct AdvertisedLink: Hashable, Sendable {
    /// The router's link-local address: advertisements have no other source (RFC 4861 §4.2).
    package var router: IPv6Address
    /// On the link, and for the hosts' own addresses (RFC 4862 §5.5).
    package var prefix: IPv6Prefix
    package var resolvers: [IPv6Address]
    package var mtu: Int
    package var advertisement: Advertisement
    /// Whether it advertises itself before it is asked.
    package var isUnsolicited: Bool
    /// The router's address on a link of Ethernet, with one device, whose alone the prefix is (RFC 8273): others of the prefix are to be
    /// reached by the router, if at all. `nil` if there are no neighbours.
    package var ethernet: EthernetAddress?

    /// Between two advertisements that nobody asked for, in seconds. A device that moves on is soon told.
    var interval: ClosedRange<Int> {
        ethernet == nil
            ? Advertisement.shortestInterval...Advertisement.longestInterval
            : Advertisement.shortestDeviceInterval...Advertisement.longestDeviceInterval
    }

    package init(
        router: IPv6Address, prefix: IPv6Prefix, resolvers: [IPv6Address], mtu: Int, _ advertisement: Advertisement,
        isUnsolicited: Bool, ethernet: EthernetAddress? = nil
    ) {
        self.router = router
        self.prefix = prefix
        self.resolvers = resolvers
        self.mtu = mtu
        self.advertisement = advertisement
        self.isUnsolicited = isUnsolicited
        self.ethernet = ethernet
    }
}
