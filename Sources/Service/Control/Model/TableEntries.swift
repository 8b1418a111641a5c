// SPDX-License-Identifier: Apache-2.0
/// An entry of a session table (RFC 6146 §3.2).
package struct SessionEntry: Codable, Hashable, Sendable {
    package var client: UInt64
    /// `tcp`, `udp` or `icmp`.
    package var transport: String
    package var ipv6: Tuple
    package var ipv4: Tuple
    /// The state of RFC 6146 §3.5.2.2; for TCP only.
    package var state: String?
    /// Seconds until it expires if no packet comes.
    package var expiresIn: Double
    package var sent: Traffic
    package var received: Traffic

    package init(
        client: UInt64, transport: String, ipv6: Tuple, ipv4: Tuple, state: String?, expiresIn: Double,
        sent: Traffic, received: Traffic
    ) {
        self.client = client
        self.transport = transport
        self.ipv6 = ipv6
        self.ipv4 = ipv4
        self.state = state
        self.expiresIn = expiresIn
        self.sent = sent
        self.received = received
    }
}

/// Both ends of a session on one side: `[2001:db8::1]:40000`, `192.0.2.1:80`. The port of an ICMP query is its identifier.
package struct Tuple: Codable, Hashable, Sendable {
    /// The client's end. `nil` for a SYN that came from the IPv4 side and is stored (RFC 6146 §3.5.2.2).
    package var source: String?
    package var destination: String

    package init(source: String?, destination: String) {
        self.source = source
        self.destination = destination
    }
}

/// An entry of a Binding Information Base (RFC 6146 §3.1).
package struct BindingEntry: Codable, Hashable, Sendable {
    package var client: UInt64
    /// `tcp`, `udp` or `icmp`.
    package var transport: String
    /// The client's address and port, and those that represent it on the IPv4 side.
    package var ipv6: String
    package var ipv4: String
    package var isStatic: Bool
    package var sessions: Int

    package init(client: UInt64, transport: String, ipv6: String, ipv4: String, isStatic: Bool, sessions: Int) {
        self.client = client
        self.transport = transport
        self.ipv6 = ipv6
        self.ipv4 = ipv4
        self.isStatic = isStatic
        self.sessions = sessions
    }
}

/// The result of `DELETE /v1/clients/{id}/sessions`.
package struct ForgottenSessions: Codable, Hashable, Sendable {
    package var client: UInt64
    package var sessions: Int

    package init(client: UInt64, sessions: Int) {
        self.client = client
        self.sessions = sessions
    }
}
