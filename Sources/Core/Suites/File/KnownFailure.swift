// SPDX-License-Identifier: Apache-2.0
import Evidence
package import Topology

/// A failure that is accepted for a time: for a rule, and optionally for a target.
package struct KnownFailure: Hashable, Sendable {
    /// `V6C-001`
    package var rule: String
    /// A host's name or address, optionally with ` tcp/443`; `nil` for any target of the rule.
    package var target: String?
    /// The networks on which it is expected; `nil` for every network of the test except dual-stack.
    package var networks: [NetworkSchedule]?
    package var reason: String
    package var issue: String?
    /// The last day on which it is accepted; `nil` if it does not expire.
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

    /// The notice begins this many days before the failure expires.
    private static let notice = 14

    func isExpired(on today: Day) -> Bool { until.map { $0 < today } ?? false }

    func isExpiring(on today: Day) -> Bool { until.map { $0 >= today && $0 - today <= Self.notice } ?? false }
}
