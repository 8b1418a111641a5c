// SPDX-License-Identifier: Apache-2.0
/// Numbers of observations that are missing from a client's evidence, by kind: its bounded logs were full.
///
/// Each client has its own logs: only its own observations can push others out.
package struct LostObservations: Codable, Hashable, Sendable {
    /// Queries whose question and answer are missing from the evidence, or lack some addresses.
    package var queries = 0
    /// Packets of flows that are missing.
    package var flows = 0
    /// Connections that the world's servers served and that are missing.
    package var connections = 0
    /// Whether the packet path did not answer: then flows and drops are unknown.
    package var path = false

    package init(queries: Int = 0, flows: Int = 0, path: Bool = false) {
        self.queries = queries
        self.flows = flows
        self.path = path
    }

    package var count: Int { queries + flows + connections + (path ? 1 : 0) }
}
