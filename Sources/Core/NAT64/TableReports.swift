// SPDX-License-Identifier: Apache-2.0
import Translation
public import Wire

/// A BIB entry for reports.
public struct BindingReport: Hashable, Sendable {
    public let transport: TransportProtocol
    public let host: TransportAddress6
    public let mapped: TransportAddress4
    public let isStatic: Bool
    public let sessions: Int
}

/// A session table entry for reports.
public struct SessionReport: Hashable, Sendable {
    public let transport: TransportProtocol
    /// `nil` for a stored IPv4 SYN.
    public let host: TransportAddress6?
    /// The destination that the host uses: `remote` under a Pref64.
    public let destination: TransportAddress6
    public let mapped: TransportAddress4
    public let remote: TransportAddress4
    /// For TCP only.
    public let state: TCPState?
    public let expires: Instant
    public let packetsFromIPv6: Int
    public let packetsFromIPv4: Int
    public let octetsFromIPv6: Int
    public let octetsFromIPv4: Int
}

extension NAT64 {
    /// Visits every BIB entry, without those that are only held back from reuse.
    public func forEachBinding(_ body: (BindingReport) -> Void) {
        for transport in TransportProtocol.allCases {
            self[transport].bindings.forEach { _, binding in
                if binding.life == .held { return }
                body(
                    BindingReport(
                        transport: transport, host: binding.hostTransport, mapped: binding.mappedTransport,
                        isStatic: binding.life == .permanent, sessions: Int(binding.sessions)))
            }
        }
    }

    /// Visits every session table entry.
    public func forEachSession(_ body: (SessionReport) -> Void) {
        for transport in TransportProtocol.allCases {
            self[transport].sessions.forEach { _, session in
                body(report(session, transport))
            }
        }
    }

    private func report(_ session: Session, _ transport: TransportProtocol) -> SessionReport {
        let prefix = configuration.prefixes[Int(session.prefix)]
        return SessionReport(
            transport: transport,
            host: session.binding == noEntry ? nil : session.hostTransport,
            destination: TransportAddress6(prefix.embed(session.remote), session.remotePort),
            mapped: session.mappedTransport, remote: session.remoteTransport,
            state: transport == .tcp ? session.state : nil, expires: session.deadline,
            packetsFromIPv6: Int(session.packetsFromIPv6), packetsFromIPv4: Int(session.packetsFromIPv4),
            octetsFromIPv6: Int(truncatingIfNeeded: session.octetsFromIPv6),
            octetsFromIPv4: Int(truncatingIfNeeded: session.octetsFromIPv4))
    }

    /// Entries in the tables of one protocol; BIB entries include those held back from reuse.
    public func tableCounts(of transport: TransportProtocol) -> (bindings: Int, sessions: Int) {
        (self[transport].bindings.count, self[transport].sessions.count)
    }

    /// Octets that the tables occupy.
    public var footprint: Int {
        hosts.footprint + self[.udp].footprint + self[.tcp].footprint + self[.icmp].footprint
    }
}
