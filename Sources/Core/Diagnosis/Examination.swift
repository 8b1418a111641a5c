import Evidence
import Wire

/// What a rule looks at: the run that is judged, and what it is compared with.
struct Examination: Sendable {
    var run: RunEvidence
    /// The same client on dual-stack.
    var control: RunEvidence?
    /// The same client here, without literal synthesis.
    var plain: RunEvidence?
    /// The client's argument vector.
    var command: [String] = []
    /// Whether a rule before has explained the run.
    var isExplained = false

    var failsOnDualStackToo: Bool { control.map { !$0.end.isSuccess } ?? false }

    /// Whether the client had what it needs but for IPv4: it succeeded on dual-stack, or somebody answered it there before it
    /// failed for a reason of its own. Who gets nowhere on either network shows nothing. Without a control run nobody knows.
    var gotThroughOnDualStack: Bool {
        control.map { $0.end.isSuccess || $0.flows.contains(where: \.isAnswered) } ?? true
    }

    /// The flows of the control run that show what the client needs IPv4 for: all where it succeeds, and where it does not, those
    /// that somebody answered.
    var telling: [Flow] {
        control.map { control in control.flows.filter { !$0.isInbound && (!failsOnDualStackToo || $0.isAnswered) } }
            ?? []
    }
}

extension DNSQuestion {
    var isForAddress: Bool { type == "A" || type == "AAAA" }

    /// The IPv4 addresses that HTTPS and SVCB records gave as hints (RFC 9460 §7.3).
    var ipv4Hints: [IPv4Address] {
        answers.flatMap { $0.split(separator: " ") }.filter { $0.hasPrefix("ipv4hint=") }.flatMap { parameter in
            parameter.dropFirst("ipv4hint=".count).split(separator: ",").compactMap { IPv4Address(String($0)) }
        }
    }
}

extension RunEvidence {
    /// The flow's far end in words that do not depend on the network: by the name, where the client had one.
    func subject(_ flow: Flow) -> String {
        let host = name(of: flow) ?? flow.ipv4Destination?.description ?? flow.remote.description
        return "\(host) \(endpoint(flow))"
    }

    /// `shop.test, 64:ff9b::c633:640a (tcp 80)`
    func farEnd(_ flow: Flow) -> String {
        (name(of: flow).map { "\($0), " } ?? "") + "\(flow.remote) (\(endpoint(flow)))"
    }
}

/// `tcp 80`, `icmp`
func endpoint(_ flow: Flow) -> String {
    flow.transport == .icmp ? "icmp" : "\(flow.transport.rawValue) \(flow.port)"
}

/// The elements in the order of their first appearance.
func unique<Element: Hashable>(_ elements: [Element]) -> [Element] {
    var seen: Set<Element> = []
    return elements.filter { seen.insert($0).inserted }
}
