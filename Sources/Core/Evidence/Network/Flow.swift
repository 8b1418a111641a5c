// SPDX-License-Identifier: Apache-2.0
package import Wire

/// All packets to or from one address, protocol and port, as they crossed the client's link.
package struct Flow: Codable, Hashable, Sendable {
    package enum Transport: String, Codable, Sendable {
        case tcp, udp, icmp
    }
    package enum Route: Codable, Hashable, Sendable {
        /// Through the NAT64, to this IPv4 address.
        case translated(IPv4Address)
        /// Forwarded without translation.
        case direct
    }
    /// Why packets did not arrive, according to an ICMP error to the client (RFC 4443 §3.1, RFC 792).
    package enum Unreachable: String, Codable, Sendable, CaseIterable {
        case noRoute = "no-route"
        /// Administratively prohibited: by a firewall, or by RFC 6052 §3.1.
        case prohibited
        /// The link exists, but no host on it has this address.
        case address
        /// Nothing listens on the port.
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
    package var attempts = 0
    /// TCP: connections that the far end accepted.
    package var accepted = 0
    /// Attempts that the far end refused with RST, and ICMP errors about an unreachable far end.
    package var refused = 0
    /// The reason in the last of those errors; `nil` if there was none.
    package var unreachable: Unreachable?
    /// TCP: answers that arrived after the client had closed the socket.
    package var late = 0
    /// Times of its packets; `nil` if they are not known.
    package var times: FlowTimes?
    /// Whether the far end sent the first packet.
    package var isInbound = false
    /// TCP: the TLS ClientHellos of connections that the client opened; `nil` if there were none.
    package var hellos: SentHellos?
    /// Octets of payload from the client.
    package var bytesSent: UInt64 = 0
    /// Octets of payload to the client.
    package var bytesReceived: UInt64 = 0

    package init(transport: Transport, remote: IPAddress, port: UInt16, route: Route) {
        self.transport = transport
        self.remote = remote
        self.port = port
        self.route = route
    }

    /// Whether the far end took part.
    package var isAnswered: Bool { accepted > 0 || bytesReceived > 0 }

    /// Whether packets arrived there as far as the client can tell: UDP has no answer if the protocol above it has none.
    package var isReached: Bool {
        isAnswered || late > 0 || transport == .udp && bytesSent > 0 && refused == 0 && unreachable == nil
    }

    /// The far end's own address, translated or not.
    package var host: IPAddress { ipv4Destination.map(IPAddress.ipv4) ?? remote }

    /// The IPv4 address that the flow reaches, translated or not; `nil` if it is an IPv6 host.
    package var ipv4Destination: IPv4Address? {
        switch (route, remote) {
        case (.translated(let address), _), (.direct, .ipv4(let address)): address
        case (.direct, .ipv6): nil
        }
    }
}
