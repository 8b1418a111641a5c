public import Findings

/// Everything that a report is made from: one check of one client.
public struct RunReport: Sendable {
    /// The client's argument vector, as the user gave it.
    public var command: [String]
    /// In presentation format; nil where the network has no NAT64.
    public var pref64: String?
    public var run: RunEvidence
    public var control: RunEvidence?
    /// The run with the machine's own getaddrinfo, where there was one.
    public var plain: RunEvidence?
    public var links: LinkConditions
    public var verdict: Verdict
    /// What the runner changed around the client or could not do, a sentence each.
    public var notes: [String]

    public init(
        command: [String], pref64: String?, run: RunEvidence, control: RunEvidence?,
        plain: RunEvidence? = nil, links: LinkConditions = LinkConditions(), notes: [String] = []
    ) {
        self.command = command
        self.pref64 = pref64
        self.run = run
        self.control = control
        self.plain = plain
        self.links = links
        self.notes = notes
        verdict = Verdict(run: run, control: control, plain: plain, command: command)
    }

    /// Every run that there was.
    var runs: [RunEvidence] { [run, control, plain].compactMap(\.self) }
}
