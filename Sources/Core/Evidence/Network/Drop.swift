/// Packets that were refused for one reason.
package struct Refusal: Codable, Hashable, Sendable {
    /// The name of the drop reason.
    package var reason: String
    package var explanation: String
    package var count: UInt64
    /// The first such packet, in a line.
    package var example: String
    package var kind: Kind

    package enum Kind: String, Codable, Sendable {
        /// What every host sends to its own link and no router forwards, and what comes late: listener reports, mDNS. It
        /// says nothing about the client.
        case background
        /// What any router refuses: a hop limit that ran out, an address that leads nowhere, a packet that is none.
        case routing
        /// What there is no room for: ports, table entries, stored packets.
        case limit
        /// What goes to an IPv4 address that the well-known prefix must not carry (RFC 6052 §3.1).
        case nonGlobal = "non-global"
        /// What has no counterpart on the other side of a translator.
        case untranslatable
    }

    package init(reason: String, explanation: String, count: UInt64, example: String, kind: Kind) {
        self.reason = reason
        self.explanation = explanation
        self.count = count
        self.example = example
        self.kind = kind
    }
}
