// SPDX-License-Identifier: Apache-2.0
import Evidence

extension Rule {
    /// It may have chosen another mirror or peer, or it behaves differently if it finds no IPv4.
    package static let leavesHostOut = Rule(
        id: "V6C-090", title: "passes without a host of dual-stack, for which it did not ask here", severity: .note,
        advice:
            "Nothing, if it chooses the host anew in each run (a mirror, a peer). Otherwise look at what it does where it finds no IPv4 address.",
        networks: .ipv6Only, clients: .passing, needs: [.queries, .flows]
    ) { examination in
        examination.hostsOfDualStackAlone.filter { $0.wish == nil && !examination.isTriedByIPv4($0) }.map {
            Observation($0.subject, "\($0.statement), and here it did not ask for it.")
        }
    }
}
