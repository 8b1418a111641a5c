// SPDX-License-Identifier: Apache-2.0
package import Topology
package import NAT64
package import Translation

/// The configuration of a router: its stages, and their behaviour.
package struct RouterConfiguration: Sendable {
    package enum Translation: Sendable {
        case none
        /// RFC 6146. Its policy for errors is the router's.
        case stateful(NAT64Configuration)
        /// RFC 7915 with RFC 6052 and RFC 7757.
        case stateless(StatelessAddresses, TranslationOptions)
    }

    package var translation: Translation
    /// The ICMP errors that the router sends, and its own addresses, from which they come.
    package var errors: ErrorPolicy
    /// `nil` for a pure translator, which drops all packets that it does not translate.
    package var forwarding: Forwarding?
    /// The link of the translator's IPv6 side.
    package var ipv6Link = Link.client
    /// Whether each link carries packets of one family only; packets of the other link's family are dropped.
    package var hasOneFamilyPerLink = false
    /// Whether the router answers pings to its own addresses, instead of a host behind one of the links.
    package var answersPings = false
    /// The client's CLAT, in front of the translation, which must be stateful then; `nil` if there is none.
    package var clat: CLATAddresses?
    /// The router's advertisement on the client's link; `nil` if it does not advertise itself.
    package var advertisedLink: AdvertisedLink?
    package var faults = LinkFaults()
    /// Conditions of the link to the world.
    package var conditions = Conditions()
    /// Paths to hosts that are further away than the world's link.
    package var paths: [HostPath] = []
    /// Octets that may wait in each direction because of the conditions, and on all links of hosts: one second of a fast link.
    package var latePackets = 32 << 20
    /// Whether flows on the client's link are recorded.
    package var recordsFlows = false
    /// Number of addresses on the client's link that are recorded separately: those of many clients, or of one that chooses its own; 0 if
    /// the link has one client, whose address is known.
    package var clientLimit = 0
    /// Whether datagrams that leave in succession are joined into super-packets: for links that take those, and a caller that flushes.
    package var joinsDatagrams = false
    /// Seed of everything random: ports, identifications, hash keys.
    package var seed: UInt64

    package init(_ translation: Translation, errors: ErrorPolicy, forwarding: Forwarding? = nil, seed: UInt64 = 0) {
        self.translation = translation
        self.errors = errors
        self.forwarding = forwarding
        self.seed = seed
    }

    /// Whether no link has conditions.
    package var isAsCables: Bool { conditions.areNone && paths.allSatisfy(\.link.areNone) }
}
