// SPDX-License-Identifier: Apache-2.0
import Evidence

extension Rule {
    /// A tool that looks names up is right to do so; a program that wants the host later is not.
    package static let looksUpIPv4Only = Rule(
        id: "V6C-089", title: "looks a host up for IPv4 only, and does not contact it", severity: .note,
        advice: "If it contacts the host at another time, ask for all its addresses: call getaddrinfo with AF_UNSPEC.",
        networks: .ipv6Only.subtracting([.strictNoLoopback4]), clients: .passing, needs: [.queries, .flows]
    ) { examination in
        guard examination.run.failedIPv4Attempts == 0 else { return [] }
        return examination.missedHosts.map { name, asked, site in
            Observation("\(asked). It sent nothing to \(name).", at: site, about: .name(name))
        }
    }
}
