// SPDX-License-Identifier: Apache-2.0
package import DNSWire
import Translation

/// The contents of a router's advertisements besides the prefix: the configurable variables of RFC 4861 §6.2.1, RFC 8106 §5 and RFC 8781
/// §4.
package struct Advertisement: Hashable, Sendable {
    /// M: addresses are available by DHCPv6 (RFC 4861 §4.2). There is no DHCPv6 server.
    package var isManaged = false
    /// O: other configuration is available by DHCPv6.
    package var hasOtherConfiguration = false
    /// Lifetime as a default router, in seconds; 0: it is no default router.
    package var routerLifetime = usualLifetime
    /// Lifetime of a PREF64, in seconds; 0 withdraws it, `nil` sends none.
    package var pref64Lifetime: Int? = Int(
        Pref64Option.defaultLifetime(maximumAdvertisementInterval: UInt32(longestInterval)))
    /// Whether the resolvers are advertised (RDNSS).
    package var namesResolvers = true
    /// Domains to search (DNSSL).
    package var searchDomains: [DomainName] = []

    package init() {}

    /// Three times the longest interval between two advertisements (RFC 4861 §6.2.1), in seconds.
    package static let usualLifetime = 3 * longestInterval
    /// Longest interval between two unsolicited advertisements, in seconds: MaxRtrAdvInterval and MinRtrAdvInterval of RFC 4861 §6.2.1.
    package static let longestInterval = 600
    package static let shortestInterval = longestInterval / 3
    /// Likewise on a link with devices, as sleeping devices miss some advertisements.
    package static let longestDeviceInterval = 100
    package static let shortestDeviceInterval = 30

    /// Values of AdvDefaultLifetime (RFC 4861 §6.2.1), besides 0.
    package static let routerLifetimes = longestInterval...9000
    /// The range of a 13-bit count of eight seconds (RFC 8781 §4).
    package static let pref64Lifetimes = 0...Int(Pref64Option.maximumScaledLifetime * Pref64Option.lifetimeUnit)
    /// Few enough that they fit into one packet with the other options.
    package static let searchDomainLimit = 4
}
