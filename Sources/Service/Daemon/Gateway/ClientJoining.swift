// SPDX-License-Identifier: Apache-2.0
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
import Translation
import Wire

/// What is known of a gateway's clients, put together from what they sent and what they asked.
struct ClientJoining {
    private let clock: WallClock
    /// The host's own addresses.
    private let own: Set<IPAddress>

    /// Destinations of a client that are told.
    private static let maximumDestinations = 256

    init(_ clock: WallClock, own: Set<IPAddress>) {
        self.clock = clock
        self.own = own
    }

    /// - Parameter limit: as many clients as are told of.
    func clients(_ seen: [ClientSighting], _ askers: [Asker], limit: Int) -> (items: [GatewayClient], total: Int) {
        var asked: [IPv6Address: Asker] = [:]
        for asker in askers {
            if case .ipv6(let address) = asker.address { asked[address] = asker }
        }
        let sightings = Dictionary(seen.map { ($0.address, $0) }, uniquingKeysWith: { first, _ in first })
        let addresses = Set(sightings.keys).union(asked.keys).sorted()
        return (addresses.prefix(limit).map { client($0, sightings[$0], asked[$0]) }, addresses.count)
    }

    private func client(_ address: IPv6Address, _ seen: ClientSighting?, _ asker: Asker?) -> GatewayClient {
        var evidence = NetworkEvidence()
        evidence.flows = seen?.flows ?? []
        evidence.drops = seen?.drops ?? []
        evidence.questions = asker?.queries.questions ?? []
        evidence.refusals = asker?.queries.refusals.all ?? []
        evidence.lost = LostObservations(queries: asker?.queries.lost ?? 0, flows: seen?.lostFlows ?? 0)
        let first = [seen?.first, asker?.first].compactMap(\.self).min() ?? .zero
        let last = [seen?.last, asker?.last].compactMap(\.self).max() ?? .zero
        let names = KnownNames(evidence.questions)
        let destinations = evidence.flows.filter { !$0.isInbound }.map { ($0, GatewayDestination($0, names)) }
        let byIPv4 = destinations.filter { $0.0.isTranslated }.map(\.1)
        let byIPv6 = destinations.filter { !$0.0.isTranslated }.map(\.1)
        let findings = Finding.ofTraffic(evidence, over: MonotonicClock.now() - first)
        return GatewayClient(
            address: "\(address)", isHost: own.contains(.ipv6(address)), first: clock.date(of: first),
            last: clock.date(of: last), sent: Control.Traffic(seen?.sent), received: Control.Traffic(seen?.received),
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
    /// More of one rule and client are not read.
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
    fileprivate init(_ direction: LinkTraffic.Direction?) {
        self = direction.map { Self($0) } ?? Self()
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
