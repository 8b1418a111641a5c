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

    package init(
        router: IPv6Address, prefix: IPv6Prefix, resolvers: [IPv6Address], mtu: Int, _ advertisement: Advertisement,
        isUnsolicited: Bool
    ) {
        self.router = router
        self.prefix = prefix
        self.resolvers = resolvers
        self.mtu = mtu
        self.advertisement = advertisement
        self.isUnsolicited = isUnsolicited
    }
}
