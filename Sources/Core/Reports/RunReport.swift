public import Findings

/// Everything that a report is made from: one check of one client.
public struct RunReport: Sendable {
    /// The client's argument vector, as the user gave it.
    public var command: [String]
    /// In presentation format; nil where the network has no NAT64.
    public var pref64: String?
    public var runs: Runs
    public var links: LinkConditions
    public var verdict: Verdict
    /// What the runner changed around the client or could not do, a sentence each.
    public var notes: [String]

    public init(
        command: [String], pref64: String?, runs: Runs, links: LinkConditions = LinkConditions(), notes: [String] = []
    ) {
        self.command = command
        self.pref64 = pref64
        self.runs = runs
        self.links = links
        self.notes = notes
        verdict = Verdict(runs, command: command)
    }

    /// The run that is judged.
    public var run: RunEvidence {
        get { runs.first }
        set { runs.first = newValue }
    }
}
