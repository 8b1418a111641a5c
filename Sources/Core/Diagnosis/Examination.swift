// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import Wire

/// What a rule looks at: the run that is judged, and what it is compared with.
struct Examination: Sendable {
    var run: RunEvidence
    /// The same client on dual-stack.
    var control: RunEvidence?
    /// The same client here, without literal synthesis.
    var withoutSynthesis: RunEvidence?
    /// The same client here once more, where the first run failed.
    var again: RunEvidence?
    /// The same client on nat64, where it fails on IPv4 and on dual-stack.
    var translated: RunEvidence?
    /// The same client here after the control run, where it passes and was much slower.
    var later: RunEvidence?
    /// Traced runs that ended otherwise than untraced ones.
    var setAside: [RunEvidence] = []
    /// The client's argument vector.
    var command: [String] = []

    /// What was traced on the network in question: in the first run, in the one that confirmed it, or in one that decides nothing. Empty if
    /// nothing was.
    var traced: CallEvidence { run.calls ?? again?.calls ?? setAside(on: run.network)?.calls ?? CallEvidence() }
    /// What the client asked of getaddrinfo and its like on the network in question: in the first run, or in the one that confirmed it
    /// where only that had the library that tells.
    var lookups: [Lookup] { run.lookups.isEmpty ? again?.lookups ?? [] : run.lookups }
    /// What was traced of the control run.
    var tracedControl: CallEvidence { control?.calls ?? setAside(on: .dualStack)?.calls ?? CallEvidence() }

    private func setAside(on network: Network) -> RunEvidence? { setAside.first { $0.network == network } }

    var failsOnDualStackToo: Bool { control.map { !$0.end.isSuccess } ?? false }

    /// Whether the client had what it needs but for IPv4: it succeeded on dual-stack, or a host answered it there before it
    /// failed for a reason of its own. A client that gets nowhere on either network shows nothing. Without a control run it is unknown.
    var gotThroughOnDualStack: Bool {
        control.map { $0.end.isSuccess || $0.isAnswered } ?? true
    }

    /// The flows of the control run that show what the client needs IPv4 for: all if it succeeds, and if it does not, those
    /// that were answered.
    var telling: [Flow] {
        control.map { control in
            control.seen.flows.filter { !$0.isInbound && (!failsOnDualStackToo || $0.isAnswered) }
        } ?? []
    }
}

extension RepeatedQuery {
    var name: DomainName { question.name }
    var isForAddress: Bool { question.type == .a || question.type == .aaaa }
    /// Whether the answer is what the network would have said without faults.
    var isFaultless: Bool { first.faults.isEmpty }
    /// The IPv4 addresses that HTTPS and SVCB records gave as hints.
    var ipv4Hints: [IPv4Address] { answer.flatMap(\.ipv4Hints) }
}

extension NetworkEvidence {
    /// The addresses that the DNS told.
    var told: Set<IPAddress> { Set(questions.flatMap(\.addresses)) }

    /// The questions for an IPv6 address that there is not, of names that were never asked for an IPv4 one.
    var askedForIPv6Alone: [RepeatedQuery] {
        questions.filter { query in
            query.question.type == .aaaa && query.addresses.isEmpty
                && !questions.contains { $0.name == query.name && $0.question.type == .a }
        }
    }
}

extension KnownNames {
    /// The flow's far end in words that do not depend on the network: by the name, if the client had one.
    func subject(_ flow: Flow) -> Observation.Subject {
        .farEnd(self[flow].map(Observation.Host.name) ?? .address(flow.host), flow.transport, port: flow.port)
    }

    /// `shop.test, 64:ff9b::c633:640a (tcp 80)`
    func farEnd(_ flow: Flow) -> Statement {
        (self[flow].map { "\($0), " } ?? "") + "\(flow.remote) (\(service: flow))"
    }
}
