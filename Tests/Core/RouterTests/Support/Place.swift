// SPDX-License-Identifier: Apache-2.0
import Evidence
import NAT64
import Topology
import Translation
import Wire

@testable import Router

/// The addresses of these tests' network.
enum Place {
    static let router6 = IPv6Address("2e00:2:0:1::1")!
    static let router4 = IPv4Address(192, 0, 2, 1)
    static let client6 = IPv6Address("2e00:2:0:1::c0:100")!
    static let client4 = IPv4Address(192, 0, 2, 100)
    static let pool = IPv4Address(192, 0, 2, 64)
    static let host6 = IPv6Address("2e00:2:0:cafe::6")!
    static let host4 = IPv4Address(198, 51, 100, 10)
    /// `host4` under the well-known prefix.
    static let synthesised = IPv6Address("64:ff9b::c633:640a")!

    static var errors: ErrorPolicy { ErrorPolicy(ipv6Source: router6, ipv4Source: router4) }

    static var reach: Reach { Reach(ipv4Hosts: [host4], ipv6Hosts: [host6]) }

    static func forwarding(
        client: Int = 1500, world: Int? = nil, ipv6: IPv6Address? = client6, ipv4: IPv4Address? = client4,
        reach: Reach = reach, exemptIPv4: [IPv4Prefix] = []
    ) -> Forwarding {
        Forwarding(
            links: LinkPlan(clientMTU: client, worldMTU: world), ipv6Router: router6, ipv4Router: router4,
            client: Forwarding.Client(ipv6: ipv6, ipv4: ipv4, pool: pool), reach: reach,
            exemptIPv4: exemptIPv4)
    }

    /// A dual-stack client's.
    static func plain(_ errors: ErrorPolicy = errors) -> RouterConfiguration {
        var configuration = RouterConfiguration(.none, errors: errors, forwarding: forwarding())
        configuration.recordsFlows = true
        return configuration
    }

    /// An IPv4-only client's.
    static func ipv4Only() -> RouterConfiguration {
        RouterConfiguration(.none, errors: errors, forwarding: forwarding(ipv6: nil))
    }

    /// An IPv6-only client's, which nothing translates for.
    static func strict() -> RouterConfiguration {
        RouterConfiguration(.none, errors: errors, forwarding: forwarding(ipv4: nil))
    }

    /// An IPv6-only client's.
    static func nat64(_ errors: ErrorPolicy = errors, exemptIPv4: [IPv4Prefix] = []) -> RouterConfiguration {
        var nat64 = NAT64Configuration(prefixes: [.wellKnown], pool: [pool], errors: errors)
        nat64.exemptIPv4 = [IPv4Prefix("198.51.100.0/24")!, IPv4Prefix("192.0.2.0/24")!] + exemptIPv4
        var configuration = RouterConfiguration(
            .stateful(nat64), errors: errors, forwarding: forwarding(ipv4: nil, exemptIPv4: exemptIPv4))
        configuration.recordsFlows = true
        return configuration
    }

    /// The IPv4 address of a client behind a CLAT.
    static let behindCLAT = NetworkPlan.clatIPv4Client

    /// A client's with IPv6, and IPv4 through a CLAT.
    static func clat(prefix: Pref64 = .wellKnown, mtu: Int = 1500) -> RouterConfiguration {
        var nat64 = NAT64Configuration(prefixes: [prefix], pool: [pool], errors: errors)
        nat64.exemptIPv4 = [IPv4Prefix("198.51.100.0/24")!, IPv4Prefix("192.0.2.0/24")!]
        nat64.translation.ipv6MTU = mtu
        var configuration = RouterConfiguration(
            .stateful(nat64), errors: errors, forwarding: forwarding(client: mtu, world: 1500, ipv4: behindCLAT))
        configuration.clat = ClientSlot.first.clat(on: .nat64CLAT)
        configuration.recordsFlows = true
        return configuration
    }
}
