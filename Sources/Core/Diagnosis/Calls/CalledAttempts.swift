// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import Wire

extension Examination {
    /// What the rules on calls look at: nothing where the client got nowhere on dual-stack either, as then the network is not to blame.
    var calls: CallEvidence { gotThroughOnDualStack ? traced : CallEvidence() }

    /// A call in words, where it stands, and whose it is if that is not the client itself.
    func told(_ call: TracedCall, in evidence: CallEvidence? = nil) -> (statement: Statement, site: CallSite) {
        let evidence = evidence ?? traced
        let site = call.site(in: evidence)
        return ("\(evidence.caller(of: call))\(call, at: site)", site)
    }

    /// The first call that went for an IPv4 address, and the run that it is of: rather one with the user's own line. The origin of the address
    /// is the first that is known of any.
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

    /// The name whose answers have both the address and one of IPv6. Who asked for AAAA alone was told of the address by what was
    /// synthesised from it.
    func nameWithIPv6(of address: IPAddress) -> DomainName? {
        let questions = run.seen.questions + (again?.seen.questions ?? [])
        let told = questions.first { $0.addresses.contains(address) }?.name.reachable(in: questions)
        return told ?? questions.first { $0.first.synthesisedFrom.contains { .ipv4($0) == address } }?.name
    }

    /// What the client asked the world's own resolvers on the network in question.
    var served: [ServedQuery] { run.seen.servedQueries + (again?.seen.servedQueries ?? []) }

    /// All addresses that the DNS told, on either network.
    var told: Set<IPAddress> { run.seen.told.union(control?.seen.told ?? []) }
}

extension DomainName {
    /// The name, if it has an IPv6 address.
    fileprivate func reachable(in questions: [RepeatedQuery]) -> DomainName? {
        questions.contains { $0.name == self && $0.addresses.contains { !$0.isIPv4 } } ? self : nil
    }
}

extension Examination {
    /// The call that began a flow; `nil` if that is not known.
    func attempt(of flow: Flow) -> TracedCall? {
        traced.attempts.first { $0.address?.ip == flow.remote && $0.address?.port == flow.port }
    }
}

extension ServedQuery {
    /// Whether it was a message of the DNS, whatever carried it.
    var isOfDNS: Bool { carrier != .httpDNS }
}
