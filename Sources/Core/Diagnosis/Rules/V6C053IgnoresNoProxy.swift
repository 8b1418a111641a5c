// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import Wire

extension Rule {
    /// `no_proxy` has no standard. A string comparison does not match an IPv6 address in brackets or in another spelling, and a comparison
    /// with IPv4 networks does not match a synthesised address.
    package static let ignoresNoProxy = Rule(
        id: "V6C-053", title: "uses the proxy for a host in no_proxy",
        advice:
            "Compare addresses, not texts: without brackets, as numbers, with IPv6 networks as well as IPv4 ones, and those below the "
            + "network's Pref64 by the IPv4 address in them (RFC 6052 §2.2). In no_proxy, write names; IPv6 addresses stand there "
            + "without brackets.",
        networks: .ipv6Only, supersedes: ["V6C-001", "V6C-003", "V6C-005", "V6C-016", "V6C-034", "V6C-044"]
    ) { examination in
        let evidence = examination.traced
        let exceptions = evidence.proxies.filter { !$0.exceptions.isEmpty }
        let proxies = evidence.proxies.filter { $0.host != nil }
        let questions = examination.run.seen.questions + (examination.again?.seen.questions ?? [])
        let call = evidence.attempts.first { call in proxies.contains { $0.isTarget(of: call, by: questions) } }
        guard let call, let proxy = proxies.first(where: { $0.isTarget(of: call, by: questions) }) else { return [] }
        let reached = Set(examination.run.seen.flows.flatMap(hosts) + questions.map { plain($0.name) })
        let missed = wantedHosts(examination).first { host in
            host != proxy.host && !reached.contains(host) && exceptions.contains { $0.excepts(host) }
        }
        guard let missed else { return [] }
        let (statement, site) = examination.told(call)
        return [
            Observation(
                "\(statement): this is the proxy of \(text: proxy.variable), and no_proxy names \(text: missed).",
                at: site)
        ]
    }
}

extension ProxySetting {
    fileprivate func isTarget(of call: TracedCall, by questions: [RepeatedQuery]) -> Bool {
        isTarget(of: call) { host in
            questions.filter { plain($0.name) == host.lowercased() }.flatMap(\.addresses)
        }
    }
}

/// The hosts that the client's command lines name, and those that it contacted on dual-stack.
private func wantedHosts(_ examination: Examination) -> [String] {
    let arguments = examination.traced.programs.flatMap { $0.arguments.dropFirst() }
    let named = arguments.compactMap { HostAndPort(ofURL: $0)?.host.lowercased() }
    let control = examination.control
    return named + (control?.seen.flows.flatMap(hosts) ?? []) + (control?.seen.questions.map { plain($0.name) } ?? [])
}

private func hosts(of flow: Flow) -> [String] {
    [flow.remote.description] + (flow.ipv4Destination.map { [$0.description] } ?? [])
}

/// In lower case, without the final dot.
private func plain(_ name: DomainName) -> String {
    let text = "\(name)".lowercased()
    return text.hasSuffix(".") ? String(text.dropLast()) : text
}
