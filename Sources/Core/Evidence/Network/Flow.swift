package import Wire

/// Everything that went to one address, protocol and port, as it crossed the client's link.
package struct Flow: Codable, Hashable, Sendable {
    package enum Transport: String, Codable, Sendable {
        case tcp, udp, icmp
    }
    package enum Route: Codable, Hashable, Sendable {
        /// Through the NAT64, to this IPv4 address.
        case translated(IPv4Address)
        /// Forwarded as it was.
        case direct
    }
    /// Why packets did not arrive, as an ICMP error told the client (RFC 4443 §3.1, RFC 792).
    package enum Unreachable: String, Codable, Sendable, CaseIterable {
        case noRoute = "no-route"
        /// Forbidden by whoever is in charge: a firewall, or RFC 6052 §3.1.
        case prohibited
        /// There is a link, and nobody on it with this address.
        case address
        /// Nobody listens.
        case port
        case other
    }

    package var transport: Transport
    /// The far end as the client sees it.
    package var remote: IPAddress
    /// 0 for ICMP.
    package var port: UInt16
    package var route: Route
    /// TCP: SYNs that the client sent, retransmissions included.
    package var attempts: Int
    /// TCP: connections that the far end accepted.
    package var accepted: Int
    /// Attempts that the far end refused with RST, and ICMP errors that said that it cannot be reached.
    package var refused: Int
    /// What the last of those errors said; nil where there was none.
    package var unreachable: Unreachable?
    /// Whether the far end sent the first packet.
    package var isInbound: Bool
    /// Octets of payload from the client.
    package var bytesSent: UInt64
    /// Octets of payload to the client.
    package var bytesReceived: UInt64

    package init(
        transport: Transport, remote: IPAddress, port: UInt16, route: Route, attempts: Int = 0, accepted: Int = 0,
        refused: Int = 0, unreachable: Unreachable? = nil, isInbound: Bool = false, bytesSent: UInt64 = 0,
        bytesReceived: UInt64 = 0
    ) {
        self.transport = transport
        self.remote = remote
        self.port = port
        self.route = route
        self.attempts = attempts
        self.accepted = accepted
        self.refused = refused
        self.unreachable = unreachable
        self.isInbound = isInbound
        self.bytesSent = bytesSent
        self.bytesReceived = bytesReceived
    }

    /// Whether the far end took part.
    package var isAnswered: Bool { accepted > 0 || bytesReceived > 0 }

    /// The IPv4 address that the flow reaches, whichever way; nil where it is an IPv6 host.
    package var ipv4Destination: IPv4Address? {
        switch (route, remote) {
        case (.translated(let address), _), (.direct, .ipv4(let address)): address
        case (.direct, .ipv6): nil
        }
    }
}
