import Diagnosis
import Evidence
import Wire

// Pieces of evidence, as runs of real programs left them.

let server = IPv4Address(198, 51, 100, 10)
let synthesised = IPv6Address("64:ff9b::c633:640a")!

func question(
    _ name: String, _ type: String, _ answers: [String] = [], code: String = "NOERROR", source: String = "world",
    faults: [String] = []
) -> DNSQuestion {
    DNSQuestion(
        name: name, type: type, transport: "udp", responseCode: code, answers: answers, source: source,
        synthesisedFrom: [], rule: "RFC 6147 §5.1", faults: faults)
}

/// Both address questions about a name that does not exist.
func missing(_ name: String, source: String = "world", faults: [String] = []) -> [DNSQuestion] {
    ["A", "AAAA"].map { question(name, $0, code: "NXDOMAIN", source: source, faults: faults) }
}

func here(
    _ end: ClientEnd = .exited(status: 1), questions: [DNSQuestion] = [], flows: [Flow] = [],
    refusals: [Refusal] = [], lookups: [Lookup] = []
) -> RunEvidence {
    RunEvidence(
        network: .nat64, end: end, duration: .zero, questions: questions, flows: flows, refusals: refusals,
        profile: .apple, lookups: lookups)
}

func onDualStack(
    _ end: ClientEnd = .exited(status: 0), questions: [DNSQuestion] = [], flows: [Flow] = [], lookups: [Lookup] = []
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
        transport: transport, remote: .ipv4(address), port: port, route: .direct,
        attempts: transport == .tcp && !isInbound ? 1 : 0, accepted: accepted, refused: refused, isInbound: isInbound,
        bytesSent: 50, bytesReceived: bytesReceived)
}

/// A flow to the server through the NAT64.
func translated(
    _ transport: Flow.Transport = .tcp, port: UInt16 = 80, accepted: Int = 1, refused: Int = 0,
    unreachable: Flow.Unreachable? = nil, bytesReceived: UInt64 = 100
) -> Flow {
    Flow(
        transport: transport, remote: .ipv6(synthesised), port: port, route: .translated(server),
        attempts: transport == .tcp ? 1 : 0, accepted: accepted, refused: refused, unreachable: unreachable,
        bytesSent: 50, bytesReceived: bytesReceived)
}

/// `getaddrinfo` of the server's address as text, synthesised.
let synthesisedLookup = Lookup(
    call: "getaddrinfo", node: "198.51.100.10", hints: LookupHints(family: 0, socktype: 1, protocol: 0, flags: 0),
    answers: [synthesised.description], outcome: .literal, program: "client", module: "./client", offset: 0x11f0)

extension Verdict {
    var ids: [String] { findings.map(\.rule.id) }
}
