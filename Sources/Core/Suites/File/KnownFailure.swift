// SPDX-License-Identifier: Apache-2.0
import Evidence
package import Topology

/// A failure that is accepted for a time: bound to a rule, and to a target where one is named.
package struct KnownFailure: Hashable, Sendable {
    /// `V6C-001`
    package var rule: String
    /// A host's name or address, with ` tcp/443` behind it or without; `nil` is whatever the rule finds.
    package var target: String?
    /// Where it is expected; `nil` is on every network of the test but dual-stack.
    package var networks: [NetworkSchedule]?
    package var reason: String
    package var issue: String?
    /// The last day on which it is accepted; `nil` is without end.
    package var until: Day?

    package init(
        rule: String, target: String? = nil, networks: [NetworkSchedule]? = nil, reason: String, issue: String? = nil,
        until: Day?
    ) {
        self.rule = rule
        self.target = target
        self.networks = networks
        self.reason = reason
        self.issue = issue
        self.until = until
    }

    package func applies(on network: NetworkSchedule) -> Bool {
        networks?.contains(network) ?? (network.network != .dualStack)
    }

    func covers(_ dependency: Dependency) -> Bool {
        guard rule == dependency.rule || rule == dependency.was else { return false }
        guard let target else { return true }
        return dependency.target == target || dependency.host == target
    }

    /// Days before the end of its time on which it is announced.
    private static let notice = 14

    func isExpired(on today: Day) -> Bool { until.map { $0 < today } ?? false }

    func isExpiring(on today: Day) -> Bool { until.map { $0 >= today && $0 - today <= Self.notice } ?? false }
}
