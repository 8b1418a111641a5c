// SPDX-License-Identifier: Apache-2.0
package import Evidence
import Topology

/// A run that has ended, and what it was made of.
package struct FinishedRun: Codable, Hashable, Sendable {
    package var evidence: RunEvidence
    /// Conditions of the client's links.
    package let links: LinkConditions
    /// The Pref64s that the client last had, in presentation format.
    package let prefixes: [String]
    /// Changes that were made around the client, a sentence each.
    package var notes: [String]

    package init(evidence: RunEvidence, links: LinkConditions, prefixes: [String], notes: [String]) {
        self.evidence = evidence
        self.links = links
        self.prefixes = prefixes
        self.notes = notes
    }

    /// The same run with the evidence of a run in the same place.
    func with(_ evidence: RunEvidence) -> FinishedRun {
        FinishedRun(evidence: evidence, links: links, prefixes: prefixes, notes: notes)
    }

    /// The Pref64s as one text; `nil` on a network without NAT64.
    package var pref64: String? {
        evidence.network.entry.hasNAT64 && !prefixes.isEmpty ? prefixes.joined(separator: ", ") : nil
    }
}
