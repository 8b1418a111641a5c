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
    /// Whether the router sends unsolicited advertisements.
    package var isUnsolicited: Bool
    /// The router's address on an Ethernet link with one device, which has the prefix to itself (RFC 8273): other addresses of the prefix
    /// are reached through the router, if at all. `nil` if the link has no neighbours.
    package var ethernet: EthernetAddress?

    /// Interval between two unsolicited advertisements, in seconds. Shorter on Ethernet, so that a device that moves to another network
    /// learns of it soon.
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
