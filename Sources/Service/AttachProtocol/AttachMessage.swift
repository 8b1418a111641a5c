// SPDX-License-Identifier: Apache-2.0
package import Evidence
package import Topology
package import Wire

// The messages between a runner and a daemon, one JSON text per message:
//
//     runner                                   daemon
//     hello  ──────────────────────────────►
//            ◄──────────────────────────────   place; busy or refused; or waiting, and a place later
//     capture (with a file, if wanted) ─────►
//     keepPayloads (if wanted) ─────────────►
//     attach (with a TUN) ──────────────────►
//            ◄──────────────────────────────   attached or refused
//         … the client runs …
//            ◄──────────────────────────────   wanted (on request), which the runner follows by moving
//            ◄──────────────────────────────   prefixes (when they change)
//     move (if wanted, to another network or to none) ─►
//            ◄──────────────────────────────   moved
//     arrived ──────────────────────────────►
//     detach ───────────────────────────────►
//            ◄──────────────────────────────   evidence (with a file that holds it)
//
// A side that hangs up ends the attachment, and nothing of it remains.

/// A message of an `AttachChannel`, which is JSON.
package protocol AttachMessage: Codable, Equatable {
    /// The texts of the messages that have no fields. The first JSON text that Foundation makes in a process takes milliseconds, and
    /// these are the only messages while a client waits to start.
    static var plain: [(message: Self, text: String)] { get }
}

/// A message of a runner.
package enum AttachRequest: AttachMessage, Hashable, Sendable {
    /// Asks for a place on a network; `client` is the client's name, for the daemon's log. Another version may have other fields: it
    /// only has to be decodable far enough to be refused.
    case hello(version: Int, network: Network, client: String, wishes: LinkWishes?)
    /// Comes with a regular file that is open for writing, to which every packet of both sides is written (pcap).
    case capture
    /// Asks for the beginning of all payloads in the evidence.
    case keepPayloads
    /// Comes with a TUN, the other end of which is the client's link.
    case attach
    /// Asks for another network, `nil` for none; the client has left the former one.
    case move(to: Network?)
    /// The client has set up its side of the network that it was moved to, or of none.
    case arrived
    /// Asks for the evidence, and ends the attachment.
    case detach

    /// The version of this protocol. Another one is refused, so that both sides are of the same release or of compatible releases.
    package static let version = 8

    package static let plain: [(message: AttachRequest, text: String)] = [
        (.capture, #"{"capture":{}}"#), (.keepPayloads, #"{"keepPayloads":{}}"#),
        (.attach, #"{"attach":{}}"#), (.arrived, #"{"arrived":{}}"#), (.detach, #"{"detach":{}}"#),
    ]
}

/// A message of a daemon.
package enum AttachReply: AttachMessage, Hashable, Sendable {
    case place(place: AttachSlot)
    /// There is no place for this runner yet; one follows when it is its turn.
    case waiting(reason: String)
    /// There is no room to wait, either; there may be a moment later.
    case busy(reason: String)
    /// The reason is part of a sentence, and includes the remedy.
    case refused(reason: String)
    case attached
    /// The client's place on the requested network.
    case moved(place: AttachSlot)
    /// A user asks for the client to be on another network, `nil` for none. The runner moves it; a request between two of the runner's
    /// own steps is skipped.
    case wanted(on: Network?)
    /// The NAT64 of the client's network has these prefixes from now on.
    case prefixes([String])
    /// Comes with a file that holds a `NetworkEvidence`.
    case evidence

    package static let plain: [(message: AttachReply, text: String)] = [
        (.attached, #"{"attached":{}}"#), (.evidence, #"{"evidence":{}}"#),
    ]
}

/// A client's place: its addresses, and the servers and prefixes of its network.
package struct AttachSlot: Codable, Hashable, Sendable {
    /// The daemon's number for this client.
    package var client: UInt64
    package var links: LinkConditions
    package var network: ClientNetwork
    /// The DNS servers, in the order for resolv.conf.
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
