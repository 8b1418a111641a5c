// SPDX-License-Identifier: Apache-2.0
/// What is missing from the evidence of a client, by kind: its bounded logs were full.
///
/// Each client has logs of its own: what is missing was pushed out by its own observations, and by nobody else's.
package struct LostObservations: Codable, Hashable, Sendable {
    /// Queries whose question and answer are not among the evidence, or not with all addresses.
    package var queries = 0
    /// Packets of flows that are not.
    package var flows = 0
    /// Connections that the world's servers served and that are not.
    package var connections = 0
    /// Whether the packet path did not answer: then nothing is known of flows and drops.
    package var path = false

    package init(queries: Int = 0, flows: Int = 0, path: Bool = false) {
        self.queries = queries
        self.flows = flows
        self.path = path
    }

    package var count: Int { queries + flows + connections + (path ? 1 : 0) }
}
