// SPDX-License-Identifier: Apache-2.0
package import Wire

/// The order in which the cases of a suite begin and end: a pure value. Its owner performs the actions and reports the events.
///
/// Cases begin in file order as soon as they fit; a case that does not fit lets later ones overtake it. After the first signal, and after
/// the suite's deadline, no case begins: running clients get SIGTERM, and SIGKILL after `endingLimit` or at the next signal.
package struct SuiteSchedule: Sendable {
    /// An action for the owner. A case is given by its index.
    package enum Action: Equatable, Sendable {
        case begin(Int)
        /// The case does not begin; its outcome is `skip` or `cancelled`.
        case settle(Int, CaseOutcome, message: String)
        /// Send SIGTERM to all running clients.
        case endClients
        /// Send SIGKILL to them.
        case killClients
    }

    package struct Limits: Sendable {
        /// The sum of `cpus` of all running cases. A case with more runs alone.
        package var jobs: Int
        /// Running cases of each group.
        package var groups: [String: Int]
        /// Number of red cases after which no case begins.
        package var failures: Int?
        /// When the suite times out.
        package var deadline: Instant?

        package init(jobs: Int, groups: [String: Int] = [:], failures: Int? = nil, deadline: Instant? = nil) {
            (self.jobs, self.groups, self.failures, self.deadline) = (jobs, groups, failures, deadline)
        }
    }

    private let tests: [SuiteTest]
    private let limits: Limits
    /// Indices in file order.
    private var pending: [Int]
    private var running: Set<Int> = []
    private var red = 0
    /// The first signal that asked for an end.
    package private(set) var signal: Int32?
    package private(set) var isTimedOut = false
    /// Signals to clients that `next` has to return.
    private var due: [Action] = []
    /// When SIGKILL follows SIGTERM.
    private var killTime: Instant?

    /// Time between SIGTERM and SIGKILL: some seconds for clients, the rest for their run processes.
    package static let endingLimit = Duration.seconds(15)

    package init(_ cases: [SuiteCase], _ limits: Limits) {
        tests = cases.map(\.test)
        self.limits = limits
        pending = Array(cases.indices)
    }

    /// Whether all cases have ended.
    package var isDone: Bool { pending.isEmpty && running.isEmpty }

    /// Whether no case, and no further run of a case, may begin.
    package var isEnding: Bool { signal != nil || isTimedOut }

    /// When to call `next` at the latest, if no event comes before.
    package var nextDeadline: Instant? {
        isEnding ? killTime : limits.deadline
    }

    // MARK: - Events

    /// A running case has ended.
    package mutating func end(_ index: Int, isRed: Bool) {
        running.remove(index)
        if isRed { red += 1 }
    }

    /// A signal that asks for an end.
    package mutating func take(signal number: Int32) {
        due.append(isEnding ? .killClients : .endClients)
        signal = signal ?? number
    }

    // MARK: - Actions

    /// The actions that are due.
    package mutating func next(at now: Instant) -> [Action] {
        if let deadline = limits.deadline, deadline <= now, !isEnding {
            isTimedOut = true
            due.append(.endClients)
        }
        return endings(at: now) + (reasonToStop.map { cancellations($0) } ?? beginnings())
    }

    private mutating func endings(at now: Instant) -> [Action] {
        if due.contains(.endClients) { killTime = now + Self.endingLimit }
        if let killTime, killTime <= now { due.append(.killClients) }
        if due.contains(.killClients) { killTime = nil }
        defer { due = [] }
        return due
    }

    private var reasonToStop: String? {
        if signal != nil { return "the suite was ended" }
        if isTimedOut { return "--suite-timeout was reached" }
        return limits.failures.map { red >= $0 } ?? false ? "--max-fail was reached" : nil
    }

    private mutating func cancellations(_ reason: String) -> [Action] {
        defer { pending = [] }
        return pending.map { .settle($0, .cancelled, message: "not run: \(reason)") }
    }

    private mutating func beginnings() -> [Action] {
        var actions: [Action] = []
        var waiting: [Int] = []
        for index in pending {
            if let reason = tests[index].skip {
                actions.append(.settle(index, .skip, message: reason))
            } else if fits(tests[index]) {
                running.insert(index)
                actions.append(.begin(index))
            } else {
                waiting.append(index)
            }
        }
        pending = waiting
        return actions
    }

    private func fits(_ test: SuiteTest) -> Bool {
        let used = running.map { min(tests[$0].cpus, limits.jobs) }.reduce(0, +)
        guard used + min(test.cpus, limits.jobs) <= limits.jobs else { return false }
        guard let group = test.group, let limit = limits.groups[group] else { return true }
        return running.count { tests[$0].group == group } < limit
    }
}
