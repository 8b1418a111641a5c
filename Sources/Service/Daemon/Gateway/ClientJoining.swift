// SPDX-License-Identifier: Apache-2.0
import AttachServer
import Control
import DNSServer
import DNS64
import DNSWire
import Diagnosis
import Evidence
import LinuxNet
import Reports
import Router
import Simulator
import Suites
import Topology
import Translation
import Wire

/// Joins what is known of a gateway's clients: the packets that they sent, and their queries.
struct ClientJoining {
    private let clock: WallClock
    /// The host's own addresses.
    private let own: Set<IPAddress>

    /// Limit of reported destinations per client.
    private static let maximumDestinations = 256

    init(_ clock: WallClock, own: Set<IPAddress>) {
        self.clock = clock
        self.own = own
    }

    /// - Parameter limit: of reported clients.
    func clients(_ seen: [ClientSighting], _ askers: [Asker], limit: Int) -> (items: [GatewayClient], total: Int) {
        var asked: [IPv6Address: Asker] = [:]
        for asker in askers {
            if case .ipv6(let address) = asker.address { asked[address] = asker }
        }
        let sightings = Dictionary(seen.map { ($0.address, $0) }, uniquingKeysWith: { first, _ in first })
        let addresses = Set(sightings.keys).union(asked.keys).sorted()
        let clients = addresses.prefix(limit).map { address in
            client("\(address)", [sightings[address]].compactMap(\.self), [asked[address]].compactMap(\.self))
        }
        return (clients, addresses.count)
    }

    /// A device of a LAN: everything seen from its own addresses.
    func device(_ device: AttachedClient, _ seen: [ClientSighting], _ askers: [Asker]) -> GatewayClient {
        let prefixes = device.connection.place.devicePrefixes
        let own = askers.filter { asker in
            guard case .ipv6(let address) = asker.address else { return false }
            return prefixes.contains(address) && asker.last >= device.since
        }
        let sent = seen.sorted { $0.last > $1.last }
        var client = client(sent.first.map { "\($0.address)" } ?? "-", sent, own, since: device.since)
        client.name = device.name
        client.device = GatewayDevice(
            id: device.id, mac: device.device.map { "\($0)" } ?? "",
            network: device.connection.network?.rawValue ?? NetworkSchedule.none,
            addresses: sent.map { "\($0.address)" })
        if client.name == client.device?.mac { client.name = nil }
        return client
    }

    private func client(
        _ address: String, _ seen: [ClientSighting], _ askers: [Asker], since: Instant? = nil
    ) -> GatewayClient {
        var evidence = NetworkEvidence()
        evidence.flows = seen.flatMap(\.flows)
        evidence.drops = seen.flatMap(\.drops)
        evidence.questions = askers.flatMap(\.queries.questions)
        evidence.refusals = askers.flatMap(\.queries.refusals.all)
        evidence.lost = LostObservations(
            queries: askers.reduce(0) { $0 + $1.queries.lost }, flows: seen.reduce(0) { $0 + $1.lostFlows })
        let first = (seen.map(\.first) + askers.map(\.first)).min() ?? since ?? .zero
        let last = (seen.map(\.last) + askers.map(\.last)).max() ?? since ?? .zero
        let names = KnownNames(evidence.questions)
        let destinations = evidence.flows.filter { !$0.isInbound }.map { ($0, GatewayDestination($0, names)) }
        let byIPv4 = destinations.filter { $0.0.isTranslated }.map(\.1)
        let byIPv6 = destinations.filter { !$0.0.isTranslated }.map(\.1)
        let findings = Finding.ofTraffic(evidence, over: MonotonicClock.now() - first)
        return GatewayClient(
            address: address, isHost: IPAddress(address).map(own.contains) ?? false, first: clock.date(of: first),
            last: clock.date(of: last), sent: Control.Traffic(seen.map(\.sent)),
            received: Control.Traffic(seen.map(\.received)),
            byIPv4: Array(byIPv4.prefix(Self.maximumDestinations)),
            byIPv6: Array(byIPv6.prefix(Self.maximumDestinations)),
            namesWithIPv6: evidence.questions.filter(\.hasOwnIPv6).map { $0.question.name.withoutFinalDot },
            drops: evidence.drops.map {
                GatewayDrop(
                    reason: $0.reason.name, explanation: $0.reason.explanation, count: $0.count, example: $0.example)
            },
            findings: findings.flatMap(GatewayFinding.all),
            omitted: evidence.lost.count + max(0, byIPv4.count - Self.maximumDestinations)
                + max(0, byIPv6.count - Self.maximumDestinations))
    }
}

extension GatewayFinding {
    /// Limit of observations per rule and client.
    private static let maximum = 32

    fileprivate static func all(of finding: Finding) -> [GatewayFinding] {
        finding.observations.prefix(maximum).map { observation in
            GatewayFinding(
                rule: finding.rule.id, severity: finding.severity.rawValue, title: finding.rule.title,
                target: observation.target.map(Dependency.text) ?? "-", text: sentence(observation.statement),
                advice: finding.advice)
        }
    }
}

extension GatewayDestination {
    fileprivate init(_ flow: Flow, _ names: KnownNames) {
        var address = "\(flow.remote)"
        if case .translated(let ipv4) = flow.route { address = "\(ipv4)" }
        self.init(
            name: names[flow]?.withoutFinalDot, address: address, transport: flow.transport.rawValue, port: flow.port,
            isAnswered: flow.isAnswered)
    }
}

extension Control.Traffic {
    fileprivate init(_ directions: [LinkTraffic.Direction]) {
        self.init(
            packets: directions.reduce(0) { $0 &+ $1.packets }, octets: directions.reduce(0) { $0 &+ $1.octets })
    }
}

extension Flow {
    fileprivate var isTranslated: Bool { if case .translated = route { true } else { false } }
}

extension RepeatedQuery {
    /// Whether the name has IPv6 addresses that were not synthesised.
    fileprivate var hasOwnIPv6: Bool {
        question.type == .aaaa && first.synthesisedFrom.isEmpty && !addresses.isEmpty
    }
}
