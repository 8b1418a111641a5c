// SPDX-License-Identifier: Apache-2.0
import Evidence

extension Rule {
    /// A part of the client whose loss goes unnoticed in this run. The DNS answer shows the host, the kernel's counter that an attempt
    /// failed. For a traced run, V6C-024 reports the attempt itself.
    package static let missesHost = Rule(
        id: "V6C-085", title: "works without a host that it looks up for IPv4 only", severity: .warning,
        advice: Rule.asksForIPv4Only.advice, adviceByLanguage: Rule.asksForIPv4Only.adviceByLanguage,
        networks: .ipv6Only.subtracting([.strictNoLoopback4]), clients: .passing, needs: [.queries, .flows]
    ) { examination in
        guard examination.run.calls == nil, let attempts = examination.run.failedIPv4Attempts, attempts > 0 else {
            return []
        }
        return examination.missedHosts.map { name, asked, site in
            Observation(
                "\(asked). It did not reach \(name), and an attempt by IPv4 failed.", at: site, about: .name(name))
        }
    }
}
