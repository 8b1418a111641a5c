import Findings

extension Verdict {
    /// For evidence of which the second run does not matter.
    init(run: RunEvidence, control: RunEvidence?) {
        self.init(Runs(first: run, control: control))
    }
}
