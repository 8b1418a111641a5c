// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import Wire

/// The evidence that a rule examines: the judged run and those that it is compared with.
struct Examination: Sendable {
    var run: RunEvidence
    /// The run of the same client on dual-stack.
    var control: RunEvidence?
    /// The run here without literal synthesis.
    var withoutSynthesis: RunEvidence?
    /// The second run here, if the first failed; the first, untraced one if `run` explains a pass.
    var again: RunEvidence?
    /// The run on nat64, if the client fails on IPv4 and on dual-stack.
    var translated: RunEvidence?
    /// The run here after the control run, if the client passes and was much slower.
    var later: RunEvidence?
    /// Traced runs that ended differently from untraced ones.
    var setAside: [RunEvidence] = []
    /// The client's argument vector.
    var command: [String] = []

    /// The trace of the network in question: of the first run, of the one that confirmed it, or of one that decides nothing. Empty if none
    /// was traced.
    var traced: CallEvidence { run.calls ?? again?.calls ?? setAside(on: run.network)?.calls ?? CallEvidence() }
    /// The client's calls of getaddrinfo and similar functions on the network in question: in the first run, or in the one that confirmed
    /// it if only that had the preloaded library.
    var lookups: [Lookup] { run.lookups.isEmpty ? again?.lookups ?? [] : run.lookups }
    /// The trace of the control run.
    var tracedControl: CallEvidence { control?.calls ?? setAside(on: .dualStack)?.calls ?? CallEvidence() }

    private func setAside(on network: Network) -> RunEvidence? { setAside.first { $0.network == network } }

    /// A control run that was stopped has not failed.
    var failsOnDualStackToo: Bool { control?.end.isFailure ?? false }

    /// Whether the client had everything that it needs except IPv4: it succeeded on dual-stack, or a host answered it there before it
    /// failed for another reason. A client that gets nowhere on either network shows nothing. True without a control run, as it is unknown
    /// then.
    var gotThroughOnDualStack: Bool {
        control.map { $0.end.isSuccess || $0.isAnswered } ?? true
    }

    /// The flows of the control run that show what the client needs IPv4 for: all if it succeeded, otherwise those that were answered.
    var telling: [Flow] {
        control.map { control in
            control.seen.flows.filter { !$0.isInbound && (!failsOnDualStackToo || $0.isAnswered) }
        } ?? []
    }
}

extension RepeatedQuery {
    var name: DomainName { question.name }
    var isForAddress: Bool { question.type == .a || question.type == .aaaa }
    /// Whether no fault changed the answer.
    var isFaultless: Bool { first.faults.isEmpty }
    /// The IPv4 hints of HTTPS and SVCB records.
    var ipv4Hints: [IPv4Address] { answer.flatMap(\.ipv4Hints) }
}

extension NetworkEvidence {
    /// The addresses from DNS answers.
    var told: Set<IPAddress> { Set(questions.flatMap(\.addresses)) }

    /// The addresses of a name from DNS answers.
    func addresses(of name: DomainName) -> [IPAddress] { questions.filter { $0.name == name }.flatMap(\.addresses) }

    /// The questions for AAAA that gave no address, for names that were never asked for A.
    var askedForIPv6Alone: [RepeatedQuery] {
        questions.filter { query in
            query.question.type == .aaaa && query.addresses.isEmpty
                && !questions.contains { $0.name == query.name && $0.question.type == .a }
        }
    }
}

extension KnownNames {
    /// The flow's far end as a subject that does not depend on the network: by name if the client had one.
    func subject(_ flow: Flow) -> Observation.Subject {
        .farEnd(self[flow].map(Observation.Host.name) ?? .address(flow.host), flow.transport, port: flow.port)
    }

    /// `shop.test, 64:ff9b::c633:640a (tcp 80)`
    func farEnd(_ flow: Flow) -> Statement {
        (self[flow].map { "\($0), " } ?? "") + "\(flow.remote) (\(service: flow))"
    }
}
