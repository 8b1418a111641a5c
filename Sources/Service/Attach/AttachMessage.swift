package import Evidence
package import Topology
package import Wire

// What a runner and a daemon say to each other, one JSON text a message:
//
//     runner                                   daemon
//     hello  ──────────────────────────────►
//            ◄──────────────────────────────   place, busy or refused
//     capture (with a file, if wanted) ─────►
//     attach (with a TUN) ──────────────────►
//            ◄──────────────────────────────   attached or refused
//         … the client runs …
//     detach ───────────────────────────────►
//            ◄──────────────────────────────   evidence (with a file that holds it)
//
// A side that hangs up ends the attachment; nothing of it is left then.

/// What a runner says.
package enum AttachRequest: Codable, Hashable, Sendable {
    /// Asks for a place on a network; `client` is the client's name, for the daemon's log.
    case hello(version: Int, network: Network, client: String)
    /// Comes with a regular file that is open for writing: every packet of both sides is to be written there (pcap).
    case capture
    /// Comes with a TUN, the other end of which is the client's link.
    case attach
    /// Asks for the evidence, and ends the attachment.
    case detach

    /// Of this protocol. Another one is refused, so that both sides are of the same release or of releases that agree.
    package static let version = 3
}

/// What a daemon says.
package enum AttachReply: Codable, Hashable, Sendable {
    case place(place: AttachPlace)
    /// All places are taken; one may be free a moment later.
    case busy(places: Int)
    /// The reason is a sentence's part that says what would be right.
    case refused(reason: String)
    case attached
    /// Comes with a file that holds a `NetworkEvidence`.
    case evidence
}

/// Where a client is to live, and what it needs to know there.
package struct AttachPlace: Codable, Hashable, Sendable {
    /// The number by which the daemon calls this client.
    package var client: UInt64
    package var links: LinkConditions
    package var network: ClientNetwork
    /// The DNS servers, in the order of resolv.conf.
    package var resolvers: [IPAddress]
    /// The Pref64s in presentation format; none on a network without NAT64.
    package var prefixes: [String]
    /// The test CA's certificate (PEM); `nil` if the far side is the real network.
    package var authority: String?

    package init(
        client: UInt64, links: LinkConditions, network: ClientNetwork, resolvers: [IPAddress], prefixes: [String],
        authority: String?
    ) {
        self.client = client
        self.links = links
        self.network = network
        self.resolvers = resolvers
        self.prefixes = prefixes
        self.authority = authority
    }
}
