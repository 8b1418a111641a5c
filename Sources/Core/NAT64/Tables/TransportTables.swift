// SPDX-License-Identifier: Apache-2.0
import Wire

/// All state of one protocol: its BIB, its session table, the ports of the pool, and the peers of the mappings.
struct TransportTables: ~Copyable {
    let transport: TransportProtocol
    var bindings: BindingTable
    var sessions: SessionTable
    /// In the order of the pool.
    var ports: [PortSet]
    /// Used under address-dependent filtering only.
    var peers: PeerTable

    init(_ transport: TransportProtocol, for configuration: NAT64Configuration, hash: KeyedHash, now: Instant) {
        let lifetimes = configuration.lifetimes
        let shortest =
            switch transport {
            case .udp: lifetimes.udp
            case .icmp: lifetimes.icmpQuery
            case .tcp: min(lifetimes.tcpEstablished, lifetimes.tcpTransitory, lifetimes.tcpIncomingSYN)
            }
        self.transport = transport
        bindings = BindingTable(limit: configuration.limits.bindings, hash: hash)
        sessions = SessionTable(
            limit: configuration.limits.sessions, shortestLifetime: shortest, hash: hash, now: now)
        var made: [ClosedRange<UInt16>: PortSet] = [:]
        ports = configuration.pool.map { address in
            let range = configuration.poolPorts[address] ?? 0...65_535
            let ports = made[range] ?? PortSet(for: transport, in: range)
            made[range] = ports
            return ports
        }
        peers = PeerTable(limit: configuration.limits.sessions, hash: hash)
    }

    var footprint: Int { bindings.footprint + sessions.footprint }
}
