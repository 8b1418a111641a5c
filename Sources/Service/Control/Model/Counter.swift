// SPDX-License-Identifier: Apache-2.0
/// A number that the daemon keeps, for one client or for all together.
package struct Counter: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, CaseIterable, Sendable {
        /// Only rises.
        case counter
        /// Rises and falls.
        case gauge
    }

    /// Lower case with underscores, without the program's name and without `_total`: `dropped_packets`.
    package var name: String
    package var kind: Kind
    /// One line for people; the same for all counters of the name.
    package var help: String
    /// The labels that distinguish counters of one name: `client`, `reason`, `protocol`.
    package var labels: [String: String]
    package var value: UInt64

    package init(
        _ name: String, _ kind: Kind = .counter, help: String, labels: [String: String] = [:], value: UInt64
    ) {
        self.name = name
        self.kind = kind
        self.help = help
        self.labels = labels
        self.value = value
    }
}
