// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence

@testable import Reports

extension RunReport {
    /// From runs one by one, as most tests have them.
    init(
        command: [String], pref64: String?, run: RunEvidence, control: RunEvidence?, plain: RunEvidence? = nil,
        links: LinkConditions = LinkConditions(), notes: [String] = []
    ) {
        self.init(
            of: command, pref64: pref64, judging: Runs(first: run, control: control, withoutSynthesis: plain),
            links: links, notes: notes)
    }

    init(
        of command: [String], pref64: String?, judging runs: Runs, links: LinkConditions = LinkConditions(),
        notes: [String] = []
    ) {
        self.init(
            command: command, pref64: pref64, runs: runs, verdict: Verdict(runs, command: command), links: links,
            notes: notes)
    }
}
