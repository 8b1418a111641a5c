// SPDX-License-Identifier: Apache-2.0
import Topology
import DNS64
import DNSWire
import EvidenceSupport
import Reports
import Wire
import Control
import Foundation

/// A daemon with two clients that only records its calls.
actor FakeDaemon: Controllable {
    nonisolated let hub = EventHub(capacity: 65_536, limit: 4, ownedBy: geteuid())
    private var pref64 = "64:ff9b::/96"
    private var entries: [FaultEntry] = [FaultEntry(id: 1, fault: "*.shop.test AAAA any any drop")]
    private var lastFault: UInt64 = 1
    /// The readiness that `status` returns.
    private var current = DaemonReadiness()
    /// Whether `status` never returns.
    private var isStuck = false

    static let start = Date(timeIntervalSince1970: 1_795_300_000.25)
    static let faultLimit = 100

    /// Whether it is a gateway as well.
    private var isGateway = true

    func becomeNoGateway() { isGateway = false }
    func become(_ readiness: DaemonReadiness) { current = readiness }
    func getStuck() { isStuck = true }

    func readiness() -> DaemonReadiness { current }

    func status() async -> Status {
        if isStuck { try? await Task.sleep(for: .seconds(3600)) }
        return Status(
            version: "0.1.0", readiness: current, startedAt: Self.start, uptime: 12.5, pref64: pref64,
            uplink: Uplink(
                kind: .host, pool: (64...95).map { "192.0.2.\($0)" } + ["203.0.113.7"], forwarders: ["198.51.100.53:53"]
            ),
            networks: [NetworkStatus(name: "nat64", clients: 1), NetworkStatus(name: "dual-stack", clients: 1)],
            limits: DaemonLimits(
                clients: 64, sessionsPerClient: 4096, bindingsPerClient: 4096, dnsLogLines: 65_536,
                faults: Self.faultLimit))
    }

    func clients() -> Listing<ClientSummary> {
        Listing([Self.client(1, network: "nat64"), Self.client(2, network: "dual-stack")])
    }

    func client(_ id: UInt64) throws(ControlError) -> ClientSummary {
        try known(id)
        return Self.client(id, network: id == 1 ? "nat64" : "dual-stack")
    }

    func gatewayClients(limit: Int) throws(ControlError) -> GatewayClients {
        if !isGateway { throw ControlError(.conflict, "this daemon is no gateway") }
        let client = GatewayClient(
            address: "fd00:10:244::5", isHost: false, first: Self.start, last: Self.start,
            sent: Traffic(packets: 3, octets: 300), received: Traffic(),
            byIPv4: [
                GatewayDestination(
                    name: "api.vendor.example", address: "198.51.100.7", transport: "tcp", port: 443, isAnswered: true)
            ], byIPv6: [], namesWithIPv6: ["dual.example"],
            drops: [GatewayDrop(reason: "no-route", explanation: "no way", count: 2, example: "a packet")],
            findings: [
                GatewayFinding(
                    rule: "V6C-002", severity: "error", title: "asks for A", target: "api.vendor.example", text: "So.",
                    advice: "Do not.")
            ], omitted: 0)
        return GatewayClients(Array([client].prefix(limit)), total: 1, forgotten: 7)
    }

    private static func client(_ id: UInt64, network: String) -> ClientSummary {
        ClientSummary(
            id: id, peer: PeerProcess(uid: 1000, gid: 1000, pid: 4711), network: network, addresses: ["2e00:2:0:1::2"],
            since: start, responding: true, sent: Traffic(packets: 12, octets: 3456),
            received: Traffic(packets: 10, octets: 78_901),
            sessions: 3, bindings: 2, drops: 1)
    }

    private func known(_ id: UInt64) throws(ControlError) {
        guard (1...2).contains(id) else { throw ControlError(.notFound, "there is no client \(id)") }
    }

    func sessions(of client: UInt64, limit: Int) throws(ControlError) -> Listing<SessionEntry> {
        try known(client)
        let open = SessionEntry(
            client: client, transport: "tcp",
            ipv6: Tuple(source: "[2e00:2:0:1::2]:40000", destination: "[64:ff9b::c633:640a]:80"),
            ipv4: Tuple(source: "192.0.2.1:40000", destination: "198.51.100.10:80"), state: "established",
            expiresIn: 7199.5, sent: Traffic(packets: 3, octets: 180), received: Traffic(packets: 2, octets: 1580))
        let stored = SessionEntry(
            client: client, transport: "tcp", ipv6: Tuple(source: nil, destination: "[64:ff9b::c633:640b]:9"),
            ipv4: Tuple(source: "192.0.2.1:40001", destination: "198.51.100.11:9"), state: "v4-init", expiresIn: 5,
            sent: Traffic(), received: Traffic(packets: 1, octets: 60))
        return Listing(Array([open, stored].prefix(limit)), total: 2)
    }

    func moveClient(_ id: UInt64, to network: String, wishing: LinkWishes) throws(ControlError) -> ClientSummary {
        try known(id)
        return Self.client(id, network: network)
    }

    func forgetSessions(of client: UInt64) throws(ControlError) -> ForgottenSessions {
        try known(client)
        return ForgottenSessions(client: client, sessions: 2)
    }

    func bindings(of client: UInt64, limit: Int) throws(ControlError) -> Listing<BindingEntry> {
        try known(client)
        return Listing([
            BindingEntry(
                client: client, transport: "tcp", ipv6: "[2e00:2:0:1::2]:40000", ipv4: "192.0.2.1:40000",
                isStatic: false, sessions: 1)
        ])
    }

    /// A thousand lines, of which the first hundred are gone.
    func dnsLog(since: UInt64?, limit: Int, client: UInt64?) -> DNSLog {
        let (first, last) = (UInt64(101), UInt64(1000))
        let start = since ?? last + 1 - min(UInt64(limit), last)
        let numbers = Array(stride(from: max(start, first), through: last, by: 1).prefix(limit))
        return DNSLog(
            numbers.map { number in
                DNSLogLine(
                    number: number, time: Self.start, client: client ?? 1,
                    query: DNSQueryRecord(
                        QueryRecord(
                            "www.shop.test", .aaaa, ["64:ff9b::c633:640a"], from: [IPv4Address(198, 51, 100, 10)])),
                    text: "line \(number)")
            }, next: (numbers.last ?? last) + 1, lost: start < first ? first - start : 0)
    }

    func counters() -> [Counter] {
        [
            Counter("sessions_opened", help: "Sessions that were opened.", labels: ["client": "1"], value: 3),
            Counter("sessions_opened", help: "Sessions that were opened.", labels: ["client": "2"], value: 0),
        ]
    }

    func faults() -> Listing<FaultEntry> { Listing(entries) }

    func addFault(_ presentation: String) throws(ControlError) -> FaultEntry {
        guard presentation.split(separator: " ").count >= 5 else {
            throw ControlError(.invalid, "a fault is NAME TYPE TRANSPORT NUMBERS EFFECT")
        }
        guard entries.count < Self.faultLimit else { throw ControlError(.exhausted, "there are enough faults") }
        lastFault += 1
        entries.append(FaultEntry(id: lastFault, fault: presentation))
        hub.publish(Event(.faultAdded, text: presentation))
        return FaultEntry(id: lastFault, fault: presentation)
    }

    func removeFault(_ id: UInt64) throws(ControlError) {
        guard let index = entries.firstIndex(where: { $0.id == id }) else {
            throw ControlError(.notFound, "there is no fault \(id)")
        }
        entries.remove(at: index)
    }

    func removeAllFaults() { entries = [] }

    func prefix() -> PrefixSetting { PrefixSetting(pref64: pref64) }

    func changePrefix(to text: String) throws(ControlError) -> PrefixSetting {
        guard text.contains("/") else { throw ControlError(.invalid, "\(text) is no prefix") }
        guard text != "2001:db8:1::/96" else { throw ControlError(.conflict, "a route leads there") }
        pref64 = text
        return PrefixSetting(pref64: text)
    }

    func events() throws(ControlError) -> AsyncStream<Event> { try hub.subscribe() }
}
