// SPDX-License-Identifier: Apache-2.0
import Evidence

extension Rule {
    /// The pass is one of the networks that were there until then.
    package static let endsBeforeChange = Rule(
        id: "V6C-101", title: "passes before it comes to the network", severity: .warning,
        advice:
            "Have it run for longer than the phases before the last network, or make them shorter: --network \"dual-stack 100ms, nat64\".",
        clients: .passing
    ) { examination in
        let run = examination.run
        guard run.endedBeforeLastNetwork else { return [] }
        return [
            Observation(
                "It ended after \(run.duration), before \(text: run.network.rawValue) came: this pass says nothing of that network."
            )
        ]
    }
}
