// SPDX-License-Identifier: Apache-2.0
package import Topology
package import NAT64
package import Translation
package import Wire

/// The settings of a translator, as in the `nat64` section of a configuration file.
package struct TranslatorConfiguration: Sendable {
    package enum Mode: Hashable, Sendable {
        /// RFC 6146.
        case stateful
        /// RFC 7915 with RFC 6052 and RFC 7757.
        case stateless
    }

    package var mode = Mode.stateful
    /// In the stateless mode, only prefixes (one at most), exemptions, errors and translation are used.
    package var nat64: NAT64Configuration
    /// Explicit address mappings, for the stateless mode (RFC 7757).
    package var mappings = ExplicitAddressMappingTable()
    /// Sources of ICMPv4 errors whose IPv6 source has no counterpart, for the stateless mode (RFC 6791). Without any, they come
    /// from the translator's own address.
    package var errorSources: [IPv4Address] = []
    package var faults = LinkFaults()
    /// Seed of everything random: ports, identifications, hash keys. `nil`: a capture is translated as with 0, so that the same input gives
    /// the same output; in real time the seed differs at every start.
    package var seed: UInt64?

    /// The values of the simulated network: the well-known prefix, one pool address, and the router's addresses for errors.
    ///
    /// The hermetic hosts have addresses of documentation networks, so these are exempt from RFC 6052 §3.1's rule about
    /// the well-known prefix.
    package init() {
        nat64 = NAT64Configuration(
            prefixes: [.wellKnown], pool: [NetworkPlan.poolAddress],
            errors: ErrorPolicy(ipv6Source: NetworkPlan.router, ipv4Source: NetworkPlan.ipv4Router))
        nat64.exemptIPv4 = NetworkPlan.hostNetworksIPv4
    }
}
