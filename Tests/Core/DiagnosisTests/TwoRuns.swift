// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence

extension Verdict {
    /// From runs one by one, for evidence of which the second run on the same network does not matter.
    init(
        run: RunEvidence, control: RunEvidence?, plain: RunEvidence? = nil, apples: RunEvidence? = nil,
        command: [String] = []
    ) {
        self.init(Runs(first: run, control: control, withSynthesis: apples, withoutSynthesis: plain), command: command)
    }
}
