// SPDX-License-Identifier: Apache-2.0
import AttachServer
import Control
import DNS64
import DNSServer
import RouterThread
import Simulator
import Topology
import Translation
import Wire

extension DaemonControl {
    /// The sums over all clients, those that have left included. Gauges count attached clients only.
    func counters() async -> [Counter] {
        let looks = await watch.freshSnapshots()
        var totals = registry.departed
        var sessions = 0
        var bindings = 0
        let clients = registry.clients
        for client in clients {
            guard let snapshot = looks[client.id]?.last else { continue }
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
                    "dropped_packets", help: "Packets dropped, by reason.", labels: ["reason": reason.name],
                    value: totals.drops[reason, default: 0])
            } + dnsCounters + (await gatewayCounters())
    }

    /// The counters of a gateway; empty if this is none.
    private func gatewayCounters() async -> [Counter] {
        guard let clients = try? await gatewayClients(limit: GatewayPlan.clientLimit) else { return [] }
        let findings = Dictionary(grouping: clients.items.flatMap { Set($0.findings.map(\.rule)) }) { $0 }
        return [
            Counter(
                "gateway_clients", .gauge, help: "Addresses that sent through the gateway, or devices of the LAN.",
                value: UInt64(clients.total)),
            Counter(
                "gateway_forgotten_clients", help: "Clients forgotten for others.", value: UInt64(clients.forgotten)),
        ]
            + findings.sorted { $0.key < $1.key }.map { rule, met in
                Counter(
                    "gateway_findings", .gauge, help: "Clients that meet a rule.", labels: ["rule": rule],
                    value: UInt64(met.count))
            }
    }

    private func directions(_ name: String, _ help: String, _ sent: UInt64, _ received: UInt64) -> [Counter] {
        [
            Counter(name, help: help, labels: ["direction": "from-client"], value: sent),
            Counter(name, help: help, labels: ["direction": "to-client"], value: received),
        ]
    }

    private var dnsCounters: [Counter] {
        let counters = simulator.dns.counters
        return [Transport.udp, .tcp].map { transport in
            Counter(
                "dns_queries", help: "Queries that the DNS server has taken, by transport.",
                labels: ["transport": transport.rawValue], value: counters.queries[transport, default: 0])
        }
            + RefusedQuery.allCases.map { reason in
                Counter(
                    "dns_refused_queries", help: "Messages that were not looked up, by reason.",
                    labels: ["reason": reason.rawValue], value: counters.refusals[reason, default: 0])
            } + [
                Counter(
                    "dns_synthesised_answers", help: "Answers that the DNS64 has made.", value: counters.synthesised),
                Counter(
                    "dns_truncated_answers", help: "Answers that were cut to the client's size.",
                    value: counters.truncated),
                Counter("dns_faulty_answers", help: "Queries to which faults happened.", value: counters.faulty),
                Counter(
                    "dns_forwarder_strays", help: "Messages to the forwarders' sockets that answered nothing.",
                    value: counters.strays),
                Counter(
                    "dns_connections", help: "TCP connections to the DNS server, by what became of them.",
                    labels: ["state": "accepted"], value: counters.connectionsAccepted),
                Counter(
                    "dns_connections", help: "TCP connections to the DNS server, by what became of them.",
                    labels: ["state": "refused"], value: counters.connectionsRefused),
                Counter(
                    "dns_connections", help: "TCP connections to the DNS server, by what became of them.",
                    labels: ["state": "timed-out"], value: counters.connectionsTimedOut),
            ]
    }
}
