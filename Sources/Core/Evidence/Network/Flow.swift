// SPDX-License-Identifier: Apache-2.0
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
        /// Administratively prohibited: by a firewall, or by RFC 6052 §3.1.
        case prohibited
        /// There is a link, and no host on it with this address.
        case address
        /// Nothing listens.
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
    /// Attempts that the far end refused with RST, and ICMP errors that said that it cannot be reached.
    package var refused = 0
    /// What the last of those errors said; `nil` if there was none.
    package var unreachable: Unreachable?
    /// TCP: answers that came when the client had closed the socket again.
    package var late = 0
    /// When packets came by; `nil` if that is not known.
    package var times: FlowTimes?
    /// Whether the far end sent the first packet.
    package var isInbound = false
    /// TCP: what connections that the client opened began with; `nil` if none did with TLS.
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

    /// Whether packets arrived there as far as the client can tell: UDP has no answer, if the protocol above has none.
    package var isReached: Bool {
        isAnswered || late > 0 || transport == .udp && bytesSent > 0 && refused == 0 && unreachable == nil
    }

    /// The far end's own address, whichever way packets go there.
    package var host: IPAddress { ipv4Destination.map(IPAddress.ipv4) ?? remote }

    /// The IPv4 address that the flow reaches, whichever way; `nil` if it is an IPv6 host.
    package var ipv4Destination: IPv4Address? {
        switch (route, remote) {
        case (.translated(let address), _), (.direct, .ipv4(let address)): address
        case (.direct, .ipv6): nil
        }
    }
}
