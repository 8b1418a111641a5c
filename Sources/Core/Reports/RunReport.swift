package import Diagnosis
package import Evidence

/// Everything that a report is made from: one check of one client.
package struct RunReport: Sendable {
    /// The client's argument vector, as the user gave it.
    package var command: [String]
    /// In presentation format; `nil` if the network has no NAT64.
    package var pref64: String?
    package var runs: Runs
    package var links: LinkConditions
    /// The real network behind the NAT64; `nil` in a hermetic world, and where a daemon decided.
    package var hostNetwork: HostNetwork?
    package var verdict: Verdict
    /// What the runner changed around the client or could not do, a sentence each.
    package var notes: [String]
    package var words: OptionWords

    package init(
        command: [String], pref64: String?, runs: Runs, verdict: Verdict, links: LinkConditions = LinkConditions(),
        hostNetwork: HostNetwork? = nil, notes: [String] = [], words: OptionWords = .commandLine
    ) {
        self.words = words
        self.command = command
        self.pref64 = pref64
        self.runs = runs
        self.links = links
        self.hostNetwork = hostNetwork
        self.notes = notes
        self.verdict = verdict
    }

    /// The calls on the network in question: of the first run, or of the one that confirmed it; `nil` if neither was traced.
    var traced: CallEvidence? { runs.first.calls ?? runs.again?.calls }

    /// Every run with what it was for.
    var roles: [(role: String, run: RunEvidence)] {
        [
            ("first", runs.first), ("again", runs.again), ("control", runs.control),
            ("without-synthesis", runs.withoutSynthesis),
        ].compactMap { role, run in run.map { (role, $0) } }
    }

    /// The run that is judged.
    package var run: RunEvidence {
        get { runs.first }
        set { runs.first = newValue }
    }
}
