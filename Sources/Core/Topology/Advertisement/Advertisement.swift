// SPDX-License-Identifier: Apache-2.0
package import DNSWire
import Translation

/// What a router says of itself and of its link beside the prefix: the variables of RFC 4861 §6.2.1, RFC 8106 §5 and RFC 8781 §4 that
/// can be other than usual.
package struct Advertisement: Hashable, Sendable {
    /// M: addresses are to be had by DHCPv6 (RFC 4861 §4.2). There is no DHCPv6 server.
    package var isManaged = false
    /// O: other configuration is.
    package var hasOtherConfiguration = false
    /// How long it is a default router, in seconds; 0: it is none.
    package var routerLifetime = usualLifetime
    /// How long a PREF64 holds, in seconds; 0 withdraws it, `nil`: none is told.
    package var pref64Lifetime: Int? = Int(
        Pref64Option.defaultLifetime(maximumAdvertisementInterval: UInt32(longestInterval)))
    /// Whether the resolvers are told (RDNSS).
    package var namesResolvers = true
    /// Told as domains to search (DNSSL).
    package var searchDomains: [DomainName] = []

    package init() {}

    /// Three times the longest interval between two advertisements (RFC 4861 §6.2.1), in seconds.
    package static let usualLifetime = 3 * longestInterval
    /// Between two advertisements that nobody asked for, in seconds: MaxRtrAdvInterval and MinRtrAdvInterval of RFC 4861 §6.2.1.
    package static let longestInterval = 600
    package static let shortestInterval = longestInterval / 3
    /// Likewise on a link with devices, some of which sleep, and miss one now and then.
    package static let longestDeviceInterval = 100
    package static let shortestDeviceInterval = 30

    /// AdvDefaultLifetime (RFC 4861 §6.2.1), beside 0.
    package static let routerLifetimes = longestInterval...9000
    /// What 13 bits of eight seconds hold (RFC 8781 §4).
    package static let pref64Lifetimes = 0...Int(Pref64Option.maximumScaledLifetime * Pref64Option.lifetimeUnit)
    /// So that they fit into one packet with the rest.
    package static let searchDomainLimit = 4
}
