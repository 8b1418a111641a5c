// SPDX-License-Identifier: Apache-2.0
package import Diagnosis
package import Evidence
import Text

/// The contents of a report: one check of one client.
package struct RunReport: Sendable {
    /// The client's argument vector, as the user gave it.
    package var command: [String]
    /// In presentation format; `nil` if the network has no NAT64.
    package var pref64: String?
    package var runs: Runs
    package var links: LinkConditions
    /// The real network behind the NAT64; `nil` in a hermetic world, and if a daemon decided.
    package var hostNetwork: HostNetwork?
    package var verdict: Verdict
    /// The runner's changes around the client, and things that it could not do, a sentence each.
    package var notes: [String]
    package var words: OptionWords
    /// Whether the client is a test runner that does not succeed on dual-stack either, and of whose tests some do.
    var worksByTests = false

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

    /// The calls on the chosen network: of the first run, of the one that confirmed it, or of one that decides nothing; `nil` if none was
    /// traced.
    var traced: CallEvidence? { tracedRun?.calls }

    /// The run whose calls are in `traced`.
    var tracedRun: RunEvidence? {
        runs.all.first { $0.network == run.network && $0.isTraced }
    }

    /// Advice beyond the findings, the same in every form of a report.
    var sentences: [String] {
        [synthesisNote.map(words.spelled), noteOnServing, noteOnTrust].compactMap(\.self) + notes
    }

    /// Advice for a server, which does not end by itself.
    private var noteOnServing: String? {
        guard let port = run.servedPorts.first else { return nil }
        let ports = enumerated(run.servedPorts.map { "\($0)" }, limit: 8)
        return
            "It was still listening at port \(ports) when its time was over. To test a server: ipv6check listen \(port) -- \(abbreviated(command))"
    }

    /// The run that is judged.
    package var run: RunEvidence {
        get { runs.first }
        set { runs.first = newValue }
    }
}
