import Findings

@testable import Reports

extension RunReport {
    /// From runs one by one, as most tests have them.
    init(
        command: [String], pref64: String?, run: RunEvidence, control: RunEvidence?, plain: RunEvidence? = nil,
        links: LinkConditions = LinkConditions(), notes: [String] = []
    ) {
        self.init(
            command: command, pref64: pref64, runs: Runs(first: run, control: control, withoutSynthesis: plain),
            links: links, notes: notes)
    }
}
