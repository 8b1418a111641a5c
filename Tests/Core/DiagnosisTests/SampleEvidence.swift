// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import EvidenceSupport
import Reports
import Translation
import Diagnosis
import Evidence
import Wire

// Pieces of evidence, as runs of real programs left them.

let server = IPv4Address(198, 51, 100, 10)
let synthesised = IPv6Address("64:ff9b::c633:640a")!

func question(
    _ name: DomainName, _ type: RecordType, _ answers: [String] = [], code: ResponseCode? = .noError,
    source: Answer.Source = .world, faults: [Fault.Effect] = []
) -> RepeatedQuery {
    RepeatedQuery(name, type, answers, code: code, source: source, faults: faults)
}

/// Both address questions about a name that does not exist.
func missing(_ name: DomainName, source: Answer.Source = .world, faults: [Fault.Effect] = []) -> [RepeatedQuery] {
    [.a, .aaaa].map { question(name, $0, code: .nameError, source: source, faults: faults) }
}

func here(
    _ end: ExitOutcome = .exited(status: 1), questions: [RepeatedQuery] = [], flows: [Flow] = [],
    drops: [Drop] = [], lookups: [Lookup] = []
) -> RunEvidence {
    RunEvidence(
        network: .nat64, end: end, duration: .zero, questions: questions, flows: flows, drops: drops,
        profile: .apple, lookups: lookups)
}

func onDualStack(
    _ end: ExitOutcome = .exited(status: 0), questions: [RepeatedQuery] = [], flows: [Flow] = [], lookups: [Lookup] = []
) -> RunEvidence {
    RunEvidence(
        network: .dualStack, end: end, duration: .zero, questions: questions, flows: flows, profile: .apple,
        lookups: lookups)
}

/// A flow to the server's IPv4 address.
func direct(
    _ transport: Flow.Transport = .tcp, to address: IPv4Address = server, port: UInt16 = 80, accepted: Int = 1,
    refused: Int = 0, isInbound: Bool = false, bytesReceived: UInt64 = 100
) -> Flow {
    Flow(
        transport, .ipv4(address), port, .direct,
        attempts: transport == .tcp && !isInbound ? 1 : 0, accepted: accepted, refused: refused, isInbound: isInbound,
        bytesSent: 50, bytesReceived: bytesReceived)
}

/// A flow to the server through the NAT64.
func translated(
    _ transport: Flow.Transport = .tcp, port: UInt16 = 80, accepted: Int = 1, refused: Int = 0,
    unreachable: Flow.Unreachable? = nil, bytesReceived: UInt64 = 100
) -> Flow {
    Flow(
        transport, .ipv6(synthesised), port, .translated(server),
        attempts: transport == .tcp ? 1 : 0, accepted: accepted, refused: refused, unreachable: unreachable,
        bytesSent: 50, bytesReceived: bytesReceived)
}

/// `getaddrinfo` of the server's address as text, synthesised.
let synthesisedLookup = Lookup(
    call: .getaddrinfo, node: "198.51.100.10", hints: LookupHints(family: 0, socktype: 1, protocol: 0, flags: 0),
    answers: [.ipv6(synthesised)], outcome: .literal, program: "client", module: "./client", offset: 0x11f0)

extension Verdict {
    var ids: [String] { findings.map(\.rule.id) }
}

extension Finding {
    var sentences: [String] { observations.map { sentence($0.statement) } }
}
