// SPDX-License-Identifier: Apache-2.0
import AttachServer
import ConfigurationText
import Topology
import Control
import DNS64
import DNSServer
import Evidence
import FoundationEssentials
import LinuxNet
import NAT64
import RouterThread
import Simulator
import Synchronization
import Text
import Translation
import Uplink
import Wire
import World

/// The daemon's side of the control API: answers from the simulator and the registry.
struct DaemonControl: Controllable {
    let simulator: any ChangeableNetworks
    let registry: Registry
    let watch: Watch
    let faultBook: FaultBook
    let clock: WallClock
    let uplink: UplinkNetwork?
    let settings: DaemonConfiguration
    let version: String
    /// The addresses of a gateway's host.
    let hostAddresses: Set<IPAddress>

    // MARK: In general

    func status() -> Status {
        let clients = registry.clients
        let limits = settings.translator.nat64.limits
        return Status(
            version: version, readiness: readiness(), startedAt: clock.startDate,
            uptime: (MonotonicClock.now() - clock.start) / .seconds(1), pref64: prefixList,
            uplink: Control.Uplink(
                kind: uplinkKind,
                pool: (0..<(settings.gateway == nil ? simulator.places : ClientSlot.limit)).map {
                    "\(ClientSlot($0, on: simulator.linkPlan.client).poolAddress)"
                },
                forwarders: settings.world.forwarders?.servers.map(\.description)
                    ?? uplink?.resolvers.map(\.description) ?? []),
            networks: Network.allCases.map { network in
                NetworkStatus(
                    name: network.rawValue, clients: clients.count { $0.connection.network == network })
            },
            limits: DaemonLimits(
                clients: simulator.places, sessionsPerClient: limits.sessions, bindingsPerClient: limits.bindings,
                dnsLogLines: settings.world.dns64.limits.loggedQueries, faults: Fault.maximumFaults))
    }

    func readiness() -> DaemonReadiness { DaemonReadiness(waitingFor: watch.silentThreads(registry.clients)) }

    private var uplinkKind: Control.Uplink.Kind {
        guard let uplink else { return .hermetic }
        return uplink.isOnHost ? .host : .pasta
    }

    func prefix() -> PrefixSetting { PrefixSetting(pref64: prefixList) }

    private var prefixList: String { simulator.prefixes.map { "\($0)" }.joined(separator: ", ") }

    func changePrefix(to text: String) throws(ControlError) -> PrefixSetting {
        let pref64: Pref64
        do throws(Pref64.Invalid) {
            pref64 = try Pref64(text)
        } catch {
            throw ControlError(.invalid, "\(error)")
        }
        if settings.gateway != nil {
            throw ControlError(
                .conflict, "a gateway's prefix is a route of the host: start it anew with another --prefix")
        }
        if let objection = simulator.objection(to: pref64) { throw ControlError(.conflict, objection) }
        simulator.change(to: pref64) { registry.clients.map(\.connection) }
        for client in registry.clients { client.tellPrefixes([pref64]) }
        registry.tell(.prefixChanged, "the Pref64 is \(pref64) now", ["pref64": "\(pref64)"])
        return prefix()
    }

    func events() throws(ControlError) -> AsyncStream<Event> {
        try registry.events.subscribe()
    }

    // MARK: Clients

    func clients() async -> Listing<ClientSummary> {
        let looks = await watch.freshSnapshots()
        return Listing(registry.clients.compactMap { ClientSummary($0, looks[$0.id], clock) })
    }

    func client(_ id: UInt64) async throws(ControlError) -> ClientSummary {
        let looks = await watch.freshSnapshots()
        guard let summary = registry.client(id).flatMap({ ClientSummary($0, looks[id], clock) }) else {
            throw Self.noClient(id)
        }
        return summary
    }

    func sessions(of client: UInt64, limit: Int) async throws(ControlError) -> Listing<SessionEntry> {
        let excerpt = try await answer(of: client) { $0.sessions(limit: limit) }
        let now = MonotonicClock.now()
        return Listing(
            excerpt.entries.map { SessionEntry($0, client: client, at: now) },
            total: excerpt.entries.count + excerpt.omitted)
    }

    /// Timeout for a runner to move its client.
    private static let moveTimeout = Duration.seconds(5)

    func moveClient(
        _ id: UInt64, to name: String, wishing wishes: LinkWishes
    ) async throws(ControlError) -> ClientSummary {
        let network = Network(rawValue: name)
        guard network != nil || name == NetworkSchedule.none else {
            throw ControlError(
                .invalid, "a network is one of \(enumerated(NetworkSchedule.names)), not \"\(excerpt(name))\"")
        }
        guard let client = registry.client(id) else { throw Self.noClient(id) }
        if client.device != nil {
            try await move(device: client, to: network, wishing: wishes)
            return try await told(of: client, on: name)
        }
        if wishes != LinkWishes() {
            throw ControlError(
                .conflict, "client \(id) is no device of a LAN: its runner has the link and the conditions")
        }
        guard let runner = client.runner else {
            throw ControlError(.conflict, "client \(id) is the daemon's own namespace, and stays where it is")
        }
        if !runner.hasClient(on: network) { try await move(client, to: network, by: runner) }
        return try await told(of: client, on: name)
    }

    private func told(of client: AttachedClient, on name: String) async throws(ControlError) -> ClientSummary {
        registry.tell(.clientMoved, client: client.id, "client \(client.id) is on \(name) now", ["network": name])
        return try await self.client(client.id)
    }

    /// A device's own router announces the change to it, so no runner is needed.
    private func move(
        device: AttachedClient, to network: Network?, wishing wishes: LinkWishes
    ) async throws(ControlError) {
        if let network, !Network.ofDevices.contains(network) {
            let networks = enumerated(Network.ofDevices.map(\.rawValue) + [NetworkSchedule.none])
            let reason = network.entry.hasCLAT ? "a CLAT is the device's own" : "no device is given IPv4"
            throw ControlError(.conflict, "a device's network is one of \(networks): \(reason)")
        }
        do throws(LinkWishes.Mistake) { try device.connection.wish(wishes) } catch {
            throw ControlError(.invalid, "\(error)")
        }
        let moved = try? await device.connection.moving(to: network).answer(within: Self.moveTimeout)
        if moved ?? nil == nil {
            throw ControlError(.unavailable, "the packet path of client \(device.id) does not answer")
        }
    }

    private func move(
        _ client: AttachedClient, to network: Network?, by runner: RunnerLine
    ) async throws(ControlError) {
        let isThere: Bool?
        do throws(LoopFailure) {
            isThere = try await runner.ask(for: network).answer(within: Self.moveTimeout)
        } catch {
            throw ControlError(.unavailable, "the runner of client \(client.id) does not listen")
        }
        guard let isThere else {
            throw ControlError(.unavailable, "the runner of client \(client.id) has not moved it within 5 s")
        }
        if !isThere { throw Self.noClient(client.id) }
    }

    func forgetSessions(of client: UInt64) async throws(ControlError) -> ForgottenSessions {
        let count = try await answer(of: client) { $0.forgetSessions() }
        registry.tell(
            .sessionsForgotten, "the NAT64 has forgotten \(counted(count, "session")) of client \(client)",
            ["sessions": "\(count)"])
        return ForgottenSessions(client: client, sessions: count)
    }

    func bindings(of client: UInt64, limit: Int) async throws(ControlError) -> Listing<BindingEntry> {
        let excerpt = try await answer(of: client) { $0.bindings(limit: limit) }
        return Listing(
            excerpt.entries.map { BindingEntry($0, client: client) },
            total: excerpt.entries.count + excerpt.omitted)
    }

    /// Timeout for a packet path's answer.
    private static let questionTimeout = Duration.seconds(2)

    private func answer<Answer>(
        of id: UInt64, _ ask: (any AttachedConnection) -> PendingReply<Answer>
    ) async throws(ControlError) -> Answer {
        guard let client = registry.client(id) else { throw Self.noClient(id) }
        do throws(LoopFailure) {
            if let answer = try await ask(client.connection).answer(within: Self.questionTimeout) { return answer }
        } catch .notRunning {
            throw Self.noClient(id)
        } catch {}
        throw ControlError(.unavailable, "the packet path of client \(id) does not answer")
    }

    private static func noClient(_ id: UInt64) -> ControlError {
        ControlError(.notFound, "no client \(id) (see GET /v1/clients)")
    }

    // MARK: The clients of a gateway

    func gatewayClients(limit: Int) async throws(ControlError) -> GatewayClients {
        if settings.lan != nil { return try await devices(limit: limit) }
        guard settings.gateway != nil, let link = registry.clients.first,
            let connection = link.connection as? Connection
        else {
            throw ControlError(.conflict, "this daemon is no gateway (nat64sim gateway), and has no LAN (serve --lan)")
        }
        let seen = try await answer(of: link.id) { _ in connection.clients() }
        let askers = simulator.dns.askers
        let (items, total) = ClientJoining(clock, own: hostAddresses).clients(seen.all, askers.all, limit: limit)
        return GatewayClients(items, total: total, forgotten: max(seen.forgotten, askers.forgotten))
    }

    /// The devices of a LAN. A device that has just left is left out.
    private func devices(limit: Int) async throws(ControlError) -> GatewayClients {
        let joining = ClientJoining(clock, own: hostAddresses)
        let askers = simulator.dns.askers.all
        let devices = registry.clients.filter { $0.device != nil }
        var items: [GatewayClient] = []
        for device in devices.prefix(limit) {
            guard let connection = device.connection as? Connection,
                let seen = try? await answer(of: device.id, { _ in connection.clients() })
            else { continue }
            items.append(joining.device(device, seen.all, askers))
        }
        return GatewayClients(items, total: devices.count, forgotten: registry.departedDevices)
    }

    // MARK: The DNS

    func dnsLog(since: UInt64?, limit: Int, client: UInt64?) -> DNSLog {
        let wanted = client.map { registry.client($0) }
        let dns = simulator.dns
        let start = since ?? (dns.nextQuery > UInt64(limit) && client == nil ? dns.nextQuery - UInt64(limit) : 1)
        let excerpt = dns.records(from: start, limit: client == nil ? limit : .max)
        var lines: [DNSLogLine] = []
        let clients = registry.clients
        var next = excerpt.next
        for (offset, record) in excerpt.records.enumerated() {
            let line = DNSLogLine(record, number: excerpt.first + UInt64(offset), clock: clock, clients: clients)
            if let wanted {
                guard let wanted, line.client == wanted.id else { continue }
            }
            if lines.count == limit, since != nil {
                next = line.number
                break
            }
            lines.append(line)
        }
        return DNSLog(lines.suffix(limit), next: next, lost: since == nil ? 0 : excerpt.lost)
    }

    func faults() -> Listing<FaultEntry> { Listing(faultBook.entries) }

    func addFault(_ presentation: String) throws(ControlError) -> FaultEntry {
        let fault: Fault
        do throws(FaultError) {
            fault = try Fault(presentation: presentation)
        } catch {
            throw ControlError(.invalid, "\(error)")
        }
        let entry = try faultBook.add(fault)
        registry.tell(.faultAdded, "fault \(entry.id): \(entry.fault)", ["fault": entry.fault])
        return entry
    }

    func removeFault(_ id: UInt64) throws(ControlError) {
        guard let removed = faultBook.remove(id) else {
            throw ControlError(.notFound, "no fault \(id) (see GET /v1/faults)")
        }
        registry.tell(.faultRemoved, "fault \(id) removed: \(removed.fault)", ["fault": removed.fault])
    }

    func removeAllFaults() {
        faultBook.replaceAll(by: [])
        registry.tell(.faultRemoved, "all faults removed")
    }
}
