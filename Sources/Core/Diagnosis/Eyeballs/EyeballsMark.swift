// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
package import Evidence
import Wire

/// What a client did at a step of the ladder, held against RFC 8305 (Happy Eyeballs version 2).
package struct EyeballsMark: Codable, Hashable, Sendable {
    /// A step of the ladder, by the name of its test.
    package enum Step: String, Codable, Sendable, CaseIterable {
        /// Both families answer.
        case both
        /// Nothing comes back from the IPv6 address.
        case ipv6Silent = "ipv6-silent"
        /// The IPv6 address refuses.
        case ipv6Refused = "ipv6-refused"
        /// The answer to AAAA is two seconds late.
        case aaaaLate = "aaaa-late"
        /// The answer to A is two seconds late.
        case aLate = "a-late"
        /// There is no AAAA record.
        case noAAAA = "no-aaaa"
        /// Nothing comes back from three IPv6 addresses and the first IPv4 address.
        case manySilent = "many-silent"
    }

    package enum Grade: String, Codable, Sendable {
        case asRFC = "as RFC 8305"
        case departs
        /// The client did not get through.
        case fails
        /// What the step is about was not seen.
        case notSeen = "not seen"
    }

    package var step: Step
    package var grade: Grade
    /// The section of RFC 8305.
    package var section: String
    /// What was measured, such as `IPv4 after 0.25 s`.
    package var measured: String
    /// The delay that was measured, in seconds, if the step has one.
    package var seconds: Double?

    /// - Parameter run: of the client with the step's name.
    package init(_ step: Step, _ run: RunEvidence) {
        let race = Race(run)
        // A browser ends well whatever it has seen.
        let works = run.end.isSuccess && run.isAnswered
        switch step {
        case .both: self.init(step, works, "4", Self.preference(race))
        // Connection Attempt Delay: 250 ms, and from 100 ms to 2 s.
        case .ipv6Silent: self.init(step, works, "5", Self.fallback(race, Self.recommendedDelay.contains))
        // The next attempt need not wait for an address that has refused.
        case .ipv6Refused:
            self.init(step, works, "5", Self.fallback(race) { $0 <= Self.recommendedDelay.upperBound })
        case .aaaaLate: self.init(step, works, "3", Self.resolutionDelay(race))
        case .aLate: self.init(step, works, "3", Self.eagerness(race))
        case .noAAAA: self.init(step, works, "3", Self.ipv4Alone(race))
        case .manySilent: self.init(step, works, "4", Self.order(race))
        }
    }

    private typealias Finding = (grade: Grade, measured: String, delay: Duration?)

    private init(_ step: Step, _ works: Bool, _ section: String, _ finding: Finding) {
        self.step = step
        self.section = section
        grade = works ? finding.grade : .fails
        measured = finding.measured
        seconds = finding.delay.map { $0 / .seconds(1) }
    }

    // MARK: - The steps

    /// Less is no delay: version 3 forbids it, version 2 (§5) recommends 100 ms at least.
    private static let leastDelay = Duration.milliseconds(10)
    private static let recommendedDelay = Duration.milliseconds(90)...Duration.milliseconds(2200)

    /// §4: the first address is IPv6's, unless the policy table says otherwise, and one that answers at once is not raced.
    private static func preference(_ race: Race) -> Finding {
        guard let first = race.attempts.first else { return (.notSeen, "it went nowhere", nil) }
        if !first.isIPv6 { return (.departs, "IPv4 first", nil) }
        guard let ipv4 = race.first(ipv6: false) else { return (.asRFC, "IPv6 alone", nil) }
        let delay = ipv4 - first.time
        return (delay < leastDelay ? .departs : .asRFC, "IPv6, and IPv4 after \(text(delay))", delay)
    }

    /// - Parameter isRight: how long after the first IPv6 packet the first IPv4 packet may come.
    private static func fallback(_ race: Race, _ isRight: (Duration) -> Bool) -> Finding {
        guard let ipv6 = race.first(ipv6: true) else { return (.notSeen, "IPv6 was not tried", nil) }
        guard let ipv4 = race.first(ipv6: false) else { return (.departs, "IPv4 was not tried", nil) }
        let delay = ipv4 - ipv6
        return (isRight(delay) ? .asRFC : .departs, "IPv4 after \(text(delay))", delay)
    }

    /// §3: Resolution Delay, 50 ms, where A is there before AAAA.
    private static func resolutionDelay(_ race: Race) -> Finding {
        guard let first = race.attempts.first, let asked = race.asked(.a) ?? race.asked(.aaaa) else {
            return (.notSeen, "it went nowhere", nil)
        }
        return afterQuestion(first, asked)
    }

    /// §3: AAAA is there first, and its address is gone to at once.
    private static func eagerness(_ race: Race) -> Finding {
        guard let first = race.attempts.first, let asked = race.asked(.aaaa) else {
            return (.notSeen, "AAAA was not asked for", nil)
        }
        return afterQuestion(first, asked, isRight: first.isIPv6)
    }

    private static func ipv4Alone(_ race: Race) -> Finding {
        guard let first = race.attempts.first, let asked = race.asked(.a) else {
            return (.notSeen, "A was not asked for", nil)
        }
        return afterQuestion(first, asked)
    }

    /// Half of what the late answers of the ladder take: what comes before that has not waited for them.
    private static func afterQuestion(_ first: Race.Attempt, _ asked: Duration, isRight: Bool = true) -> Finding {
        let delay = first.time - asked
        let family = first.isIPv6 ? "IPv6" : "IPv4"
        return (
            isRight && delay < .seconds(1) ? .asRFC : .departs, "\(family) \(text(delay)) after the question", delay
        )
    }

    /// §4: the families take turns, so that one which does not work costs one or two delays (First Address Family Count).
    private static func order(_ race: Race) -> Finding {
        let families = race.attempts.map { $0.isIPv6 ? "6" : "4" }
        if families.isEmpty { return (.notSeen, "it went nowhere", nil) }
        let last = race.attempts[race.attempts.count - 1].time - race.attempts[0].time
        let isInterleaved = Set(families.prefix(3)).count == 2
        return (isInterleaved ? .asRFC : .departs, "\(families.joined(separator: " ")) within \(text(last))", last)
    }

    private static func text(_ delay: Duration) -> String {
        let milliseconds = Int((delay / .milliseconds(1)).rounded())
        return milliseconds < 1000 ? "\(milliseconds) ms" : "\(Double(milliseconds / 10) / 100) s"
    }

    // MARK: - What was seen

    /// What a client asked and where it went, by its link.
    private struct Race {
        struct Attempt {
            var isIPv6: Bool
            /// Of the first packet, since the client was connected.
            var time: Duration
        }

        /// Each address once, in the order of the first packets.
        let attempts: [Attempt]
        private let run: RunEvidence

        init(_ run: RunEvidence) {
            self.run = run
            attempts = run.seen.flows.compactMap { flow in
                guard !flow.isInbound, flow.transport != .icmp, let time = flow.times?.first else { return nil }
                if case .ipv6 = flow.remote { return Attempt(isIPv6: true, time: time) }
                return Attempt(isIPv6: false, time: time)
            }.sorted { $0.time < $1.time }
        }

        func first(ipv6: Bool) -> Duration? { attempts.first { $0.isIPv6 == ipv6 }?.time }

        /// When a type was asked for first; the address is answered at once, where no fault delays it.
        func asked(_ type: RecordType) -> Duration? {
            run.seen.queries.queries.first { $0.question?.type == type }.map { $0.time - .zero }
        }
    }
}
