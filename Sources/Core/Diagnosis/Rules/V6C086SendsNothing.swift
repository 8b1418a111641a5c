// SPDX-License-Identifier: Apache-2.0
import Evidence

extension Rule {
    /// Such a run passes on every network: it proves nothing.
    package static let sendsNothing = Rule(
        id: "V6C-086", title: "passes without using the network", severity: .warning,
        advice:
            "Run a command that does over the network what your program is for. A test of a suite that needs no network has the key offline: "
            + "true.",
        clients: .passing, needs: [.queries, .flows]
    ) { examination in
        // V6C-087 names the hosts that it wanted.
        examination.run.isSilent == true && examination.hostsOfDualStackAlone.allSatisfy { $0.wish == nil }
            ? [Observation("It sent no DNS query and no packet, not even over loopback: this pass proves nothing.")]
            : []
    }
}
