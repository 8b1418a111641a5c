import Control
import PacketPath
import Simulator
import Translation

extension DaemonControl {
    /// Of all clients together, those that have gone included; what can fall is of those that are there.
    func counters() -> [Counter] {
        var totals = registry.departed
        var sessions = 0
        var bindings = 0
        let clients = registry.clients
        for client in clients {
            guard let snapshot = client.connection.snapshot() else { continue }
            totals.add(snapshot)
            sessions += snapshot.sessions
            bindings += snapshot.bindings
        }
        return [
            Counter("clients", .gauge, help: "Clients that are attached.", value: UInt64(clients.count)),
            Counter("sessions", .gauge, help: "Entries of the session tables.", value: UInt64(sessions)),
            Counter("bindings", .gauge, help: "Entries of the BIBs.", value: UInt64(bindings)),
            Counter("sessions_opened", help: "Sessions that were opened.", value: totals.sessionsOpened),
        ]
            + directions("packets", "Packets across the clients' links.", totals.sent.packets, totals.received.packets)
            + directions("octets", "Octets across the clients' links.", totals.sent.octets, totals.received.octets)
            + DropReason.allCases.map { reason in
                Counter(
                    "dropped_packets", help: "Packets that went nowhere, by reason.", labels: ["reason": reason.name],
                    value: totals.drops[reason.name, default: 0])
            } + dnsCounters
    }

    private func directions(_ name: String, _ help: String, _ sent: UInt64, _ received: UInt64) -> [Counter] {
        [
            Counter(name, help: help, labels: ["direction": "from-client"], value: sent),
            Counter(name, help: help, labels: ["direction": "to-client"], value: received),
        ]
    }

    private var dnsCounters: [Counter] {
        simulator.dns.counters.named.map { name, count in
            Counter("dns", help: "What the DNS64 has seen and done.", labels: ["what": name], value: count)
        }
    }
}
