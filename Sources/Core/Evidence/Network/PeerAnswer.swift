// SPDX-License-Identifier: Apache-2.0
/// The answer of a server under test to a client of the far side that reached it.
package struct PeerAnswer: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Hashable, Sendable {
        /// A connection that the server closed at once: expected as long as it does so to all clients.
        case closed
        /// A redirect that an IPv6 client cannot follow.
        case ledAway
        /// The server's own decision (a status of 4xx), not a fault of what it needs.
        case denied
        case other
    }

    /// Whether the client has an IPv6 address, as the server sees it.
    package var isIPv6: Bool
    /// `status 403`, `no answer`
    package var text: String
    package var isAsExpected: Bool
    package var kind: Kind
    /// Whether the client has IPv4 alone, and came through the NAT64.
    package var isTranslated: Bool

    package init(
        isIPv6: Bool, text: String, isAsExpected: Bool, kind: Kind = .other, isTranslated: Bool = false
    ) {
        self.isIPv6 = isIPv6
        self.text = text
        self.isAsExpected = isAsExpected
        self.kind = kind
        self.isTranslated = isTranslated
    }
}
