// SPDX-License-Identifier: Apache-2.0
package import Topology
package import NAT64
package import Translation

/// What a router is to be: which of its stages there are, and what they do.
package struct RouterConfiguration: Sendable {
    package enum Translation: Sendable {
        case none
        /// RFC 6146. Its policy for errors is the router's.
        case stateful(NAT64Configuration)
        /// RFC 7915 with RFC 6052 and RFC 7757.
        case stateless(StatelessAddresses, TranslationOptions)
    }

    package var translation: Translation
    /// The ICMP errors that the router makes, and its own addresses, from which they come.
    package var errors: ErrorPolicy
    /// `nil` for a translator and no more: what it does not translate goes nowhere.
    package var forwarding: Forwarding?
    /// The link of the translator's IPv6 side.
    package var ipv6Link = Link.client
    /// Each link carries the packets of one family: of the other link's, none may come.
    package var hasOneFamilyPerLink = false
    /// Whether pings to the router's own addresses are answered here, and not by a host behind one of the links.
    package var answersPings = false
    /// The client's CLAT, in front of the translation, which keeps state then; `nil` if there is none.
    package var clat: CLATAddresses?
    /// What it says of itself on the client's link; `nil` if nothing.
    package var advertisedLink: AdvertisedLink?
    package var faults = LinkFaults()
    /// What the way to the world is like.
    package var conditions = Conditions()
    /// What lies before hosts that are further away than the world's link.
    package var paths: [HostPath] = []
    /// Octets that may wait in each direction because of that, and on all links of hosts: what a second of a fast link brings.
    package var latePackets = 32 << 20
    /// Whether it is noted who talks to whom on the client's link.
    package var recordsFlows = false
    /// How many addresses on the client's link are noted each by itself: those of many clients, or of one that chooses its own; 0 if the link is
    /// one client's, whose address is known.
    package var clientLimit = 0
    /// Whether datagrams that leave one after the other leave as super-packets: for links that take those, and a caller that flushes.
    package var joinsDatagrams = false
    /// Decides on everything random: ports, identifications, hash keys.
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
