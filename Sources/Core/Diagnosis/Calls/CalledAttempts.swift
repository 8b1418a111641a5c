// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import Wire

extension Examination {
    /// The calls that rules examine. Empty if the client got nowhere on dual-stack either, as the network is not to blame then.
    var calls: CallEvidence { gotThroughOnDualStack ? traced : CallEvidence() }

    /// A description of a call with its place, and with the program that made it if that is not the client itself.
    func told(_ call: TracedCall, in evidence: CallEvidence? = nil) -> (statement: Statement, site: CallSite) {
        let evidence = evidence ?? traced
        let site = call.site(in: evidence)
        return ("\(evidence.caller(of: call))\(call, at: site)", site)
    }

    /// The first call for an IPv4 address, and its run. Calls from a line of the user's own are preferred. The origin of the address is the
    /// first one known for any of the calls.
    func attempt(at address: IPv4Address) -> (call: TracedCall, evidence: CallEvidence, isOfControl: Bool)? {
        let all = [(traced, false), (tracedControl, true)].flatMap { evidence, isOfControl in
            evidence.attempts.filter { $0.ipv4 == address }.map {
                (call: $0, evidence: evidence, isOfControl: isOfControl)
            }
        }
        let withLine = all.filter(\.call.hasOwnLine)
        let best = withLine.isEmpty ? all : withLine
        guard var chosen = best.first(where: { $0.call.origin != nil }) ?? best.first else { return nil }
        chosen.call.origin = chosen.call.origin ?? all.lazy.compactMap(\.call.origin).first
        return chosen
    }

    /// `; the address is from agent.conf:3`
    func source(of call: TracedCall) -> Statement { call.origin.map { "; the address is \(from: $0)" } ?? "" }

    /// The name whose answers have both the address and an IPv6 address. A client that asked for AAAA alone knows the address only as the
    /// source of a synthesised one.
    func nameWithIPv6(of address: IPAddress) -> DomainName? {
        let questions = run.seen.questions + (again?.seen.questions ?? [])
        let told = questions.first { $0.addresses.contains(address) }?.name.reachable(in: questions)
        return told ?? questions.first { $0.first.synthesisedFrom.contains { .ipv4($0) == address } }?.name
    }

    /// The questions of the client to the world's own resolvers on the network in question.
    var served: [ServedQuery] { run.seen.servedQueries + (again?.seen.servedQueries ?? []) }

    /// All addresses from DNS answers, on either network.
    var told: Set<IPAddress> { run.seen.told.union(control?.seen.told ?? []) }
}

extension DomainName {
    /// The name itself, if it has an IPv6 address.
    fileprivate func reachable(in questions: [RepeatedQuery]) -> DomainName? {
        questions.contains { $0.name == self && $0.addresses.contains { !$0.isIPv4 } } ? self : nil
    }
}

extension Examination {
    /// The call that began a flow; `nil` if it is unknown.
    func attempt(of flow: Flow) -> TracedCall? {
        traced.attempts.first { $0.address?.ip == flow.remote && $0.address?.port == flow.port }
    }
}

extension ServedQuery {
    /// Whether it was a DNS message, over any transport.
    var isOfDNS: Bool { carrier != .httpDNS }
}
