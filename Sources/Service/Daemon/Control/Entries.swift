// SPDX-License-Identifier: Apache-2.0
import AttachServer
import Topology
import Control
import DNS64
import Evidence
import FoundationEssentials
import LinuxNet
import NAT64
import RouterThread
import Reports
import Router
import Simulator
import Translation
import Wire

// The simulator's state in the types of the control API.

extension ClientSummary {
    /// `nil` if the client has just gone.
    init?(_ client: AttachedClient, _ look: PathSnapshots.Latest?, _ clock: WallClock) {
        guard let look else { return nil }
        let connection = client.connection
        let snapshot = look.last
        self.init(
            id: client.id,
            peer: PeerProcess(uid: client.peer.user, gid: client.peer.group, pid: client.peer.process),
            network: connection.network?.rawValue ?? NetworkSchedule.none,
            addresses: client.addresses,
            since: clock.date(of: client.since), responding: !look.isSilent,
            sent: snapshot.map { Control.Traffic($0.traffic.fromClient) } ?? Control.Traffic(),
            received: snapshot.map { Control.Traffic($0.traffic.toClient) } ?? Control.Traffic(),
            sessions: snapshot?.sessions ?? 0, bindings: snapshot?.bindings ?? 0,
            drops: snapshot?.drops.reduce(0) { $0 &+ $1.count } ?? 0)
    }
}

extension SessionEntry {
    init(_ session: SessionReport, client: UInt64, at now: Instant) {
        self.init(
            client: client, transport: "\(session.transport)",
            ipv6: Tuple(source: session.host?.description, destination: session.destination.description),
            ipv4: Tuple(source: session.mapped.description, destination: session.remote.description),
            state: session.state.map { "\($0)" }, expiresIn: max(0, (session.expires - now) / .seconds(1)),
            sent: Control.Traffic(
                packets: UInt64(session.packetsFromIPv6), octets: UInt64(session.octetsFromIPv6)),
            received: Control.Traffic(
                packets: UInt64(session.packetsFromIPv4), octets: UInt64(session.octetsFromIPv4)))
    }
}

extension BindingEntry {
    init(_ binding: BindingReport, client: UInt64) {
        self.init(
            client: client, transport: "\(binding.transport)", ipv6: binding.host.description,
            ipv4: binding.mapped.description, isStatic: binding.isStatic, sessions: binding.sessions)
    }
}

extension DNSLogLine {
    /// - Parameter clients: the attached clients; an older query from the same address belongs to an earlier client.
    init(_ record: QueryRecord, number: UInt64, clock: WallClock, clients: [AttachedClient]) {
        let date = clock.date(of: record.time)
        let client = clients.first {
            $0.has(record.client.address)
                && $0.since <= record.time
        }
        self.init(
            number: number, time: date, client: client?.id, query: DNSQueryRecord(record),
            text: DNSLogText.line(record))
    }
}

extension AttachedClient {
    /// The client's current addresses, as the world sees them; the prefix for a device.
    fileprivate var addresses: [String] {
        if let prefix = devicePrefix { return ["\(prefix)"] }
        return connection.network.map(connection.place.addresses)?.map(\.description) ?? []
    }

    /// `nil` if the client is no device, or has no network.
    private var devicePrefix: IPv6Prefix? {
        device == nil ? nil : connection.network.flatMap(connection.place.devicePrefix)
    }

    fileprivate func has(_ address: IPAddress) -> Bool {
        if device != nil {
            guard case .ipv6(let address) = address else { return false }
            return connection.place.devicePrefixes.contains(address)
        }
        return connection.network.map(connection.place.addresses)?.contains(address) ?? false
    }
}
