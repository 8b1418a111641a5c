// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension Rule {
    /// The client may be correct: the proxy of its configuration is unreachable.
    package static let proxyByIPv4 = Rule(
        id: "V6C-034", title: "has a proxy configured by IPv4 address",
        severityIfPassing: .warning,
        advice: "Give the proxy by its name, such as http://proxy.example:3128.",
        networks: .ipv6Only, clients: .all,
        supersedes: ["V6C-001", "V6C-003", "V6C-004", "V6C-005", "V6C-024", "V6C-027", "V6C-038", "V6C-044"]
    ) { examination in
        let evidence = examination.traced
        let calls = evidence.attempts.filter { call in
            call.ipv4 != nil && call.isUnreachable
                && (isToProxy(call, in: evidence) || examination.isProxyOnDualStack(call))
        }
        return examination.observations(of: calls) { call, site in
            "\(call, at: site): this is a proxy\(examination.source(of: call))."
        }
    }
}

private func isToProxy(_ call: TracedCall, in evidence: CallEvidence) -> Bool {
    if let place = call.origin?.place {
        switch place {
        case .environment(let variable): return variable.lowercased().contains("proxy")
        case .argument(let index, _): return evidence.programs.contains { isProxyOption($0.arguments, at: index, call) }
        case .command, .file, .data, .answer, .payload: break
        }
    }
    return evidence.proxies.contains { $0.isTarget(of: call) { _ in [] } }
}

extension Examination {
    /// Whether the client sent a proxy request to this address on dual-stack, whatever the source of the address, but for the DNS.
    fileprivate func isProxyOnDualStack(_ call: TracedCall) -> Bool {
        // It is configured by name, and the client takes the IPv4 address alone.
        if case .answer? = call.origin?.place { return false }
        return control?.payloadFacts.contains {
            $0.matter == .proxyRequest && $0.remote == call.ipv4.map(IPAddress.ipv4) && $0.port == call.address?.port
        } == true
    }
}

/// `--proxy=ADDRESS`, `--proxy ADDRESS`, `-x ADDRESS`
private func isProxyOption(_ arguments: [String], at index: Int, _ call: TracedCall) -> Bool {
    guard arguments.indices.contains(index), let address = call.ipv4,
        arguments[index].contains(address.description)
    else { return false }
    if arguments[index].lowercased().contains("proxy") { return true }
    guard index > 1 else { return false }
    return arguments[index - 1] == "-x" || arguments[index - 1].lowercased().contains("proxy")
}
