// SPDX-License-Identifier: Apache-2.0
/// The effect of the conditions of a network, or of one host's link, on a client's packets.
package struct ConditionEvidence: Codable, Hashable, Sendable {
    /// The host's name; `nil` for a network.
    package var host: String?
    /// The conditions as the user wrote them.
    package var written: [String]
    /// To the client.
    package var down: ConditionCounts
    /// From the client.
    package var up: ConditionCounts

    package init(
        host: String? = nil, written: [String], down: ConditionCounts = ConditionCounts(),
        up: ConditionCounts = ConditionCounts()
    ) {
        self.host = host
        self.written = written
        self.down = down
        self.up = up
    }
}

/// Packets of one direction; each of the other numbers is a part of `packets`.
package struct ConditionCounts: Codable, Hashable, Sendable {
    package var packets: UInt64 = 0
    /// Delayed.
    package var late: UInt64 = 0
    /// Lost by chance, in an outage, or for lack of an uplink.
    package var lost: UInt64 = 0
    /// Lost because the queue of the slow link was full.
    package var queueFull: UInt64 = 0
    package var reordered: UInt64 = 0
    package var duplicated: UInt64 = 0
    package var corrupted: UInt64 = 0

    package init() {}
}
