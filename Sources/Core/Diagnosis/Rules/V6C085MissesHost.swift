// SPDX-License-Identifier: Apache-2.0
import Evidence

extension Rule {
    /// A part of the client whose loss goes unnoticed in this run. The DNS answer shows the host, the trace or else the kernel's counter
    /// that an attempt failed.
    package static let missesHost = Rule(
        id: "V6C-085", title: "works without a host that it looks up for IPv4 only", severity: .warning,
        advice: Rule.asksForIPv4Only.advice, adviceByLanguage: Rule.asksForIPv4Only.adviceByLanguage,
        fittingAdvice: { examination, _ in
            examination.missedHosts.lazy.compactMap { Tool.adviceOnIPv4(at: $0.site) }.first
        },
        networks: .ipv6Only.subtracting([.strictNoLoopback4]), clients: .passing, needs: [.queries, .flows]
    ) { examination in
        let missed = examination.missedHosts
        guard let calls = examination.run.calls else {
            guard examination.run.failedIPv4Attempts ?? 0 > 0 else { return [] }
            return missed.map { name, asked, site in
                Observation(
                    "\(asked). It did not reach \(name), and an attempt by IPv4 failed.", at: site, about: .name(name))
            }
        }
        let hosts = examination.hostsOfDualStackAlone
        return missed.compactMap { name, asked, _ in
            let addresses = examination.run.seen.addresses(of: name)
            let attempt = calls.attempts.first { call in
                call.isUnreachable && call.address?.ip.map(addresses.contains) == true
            }
            guard let attempt else { return nil }
            let (statement, site) = examination.told(attempt)
            let there = hosts.first { $0.name == name }
            let more: Statement = there.map { " \($0.statement)." } ?? ""
            return Observation("\(asked). It did not reach \(name): \(statement).\(more)", at: site, about: .name(name))
        }
    }
}
