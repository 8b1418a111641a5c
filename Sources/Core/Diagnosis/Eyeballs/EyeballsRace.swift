// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import Wire

/// The questions and attempts of a client at a step of the ladder, as seen on its link.
struct EyeballsRace {
    /// The result of one run: the grade if the client got through, and the measurement, with the text `before` and `after` the delay.
    struct Finding {
        var grade: EyeballsMark.Grade
        var before: String
        var delay: Duration?
        var after = ""

        init(_ grade: EyeballsMark.Grade, _ before: String, _ delay: Duration? = nil, _ after: String = "") {
            (self.grade, self.before, self.delay, self.after) = (grade, before, delay, after)
        }
    }

    private struct Attempt {
        var isIPv6: Bool
        var isQUIC: Bool
        var isTLS: Bool
        /// Made by the client from the prefix of a NAT64.
        var isSynthesised: Bool
        /// The time of the first packet, since the client was connected.
        var time: Duration
    }

    private let step: EyeballsMark.Step
    /// One attempt for each address, in the order of their first packets.
    private let attempts: [Attempt]
    private let queries: [QueryRecord]

    init(_ run: RunEvidence, _ step: EyeballsMark.Step) {
        self.step = step
        attempts = run.seen.flows.compactMap { flow in
            guard !flow.isInbound, flow.transport != .icmp, let time = flow.times?.first else { return nil }
            var attempt = Attempt(
                isIPv6: false, isQUIC: flow.transport == .udp, isTLS: flow.hellos != nil, isSynthesised: false,
                time: time)
            if case .ipv6 = flow.remote { attempt.isIPv6 = true }
            if case .translated = flow.route { attempt.isSynthesised = true }
            return attempt
        }.sorted { $0.time < $1.time }
        // A browser also asks for names of its own.
        let name = try? DomainName("\(step.rawValue).test")
        queries = run.seen.queries.queries.filter { $0.question?.name == name }
    }

    var finding: Finding {
        switch step {
        case .both: preference
        // Connection Attempt Delay: 250 ms, and from 100 ms to 2 s.
        case .ipv6Silent: fallback(Self.recommendedDelay.contains)
        // The next attempt need not wait after a refusal.
        case .ipv6Refused: fallback { $0 <= Self.recommendedDelay.upperBound }
        // Resolution Delay, 50 ms, if A arrives before AAAA.
        case .aaaaLate: eagerness(after: .a, or: .aaaa)
        // AAAA arrives first, and the client connects to its address at once.
        case .aLate, .noA: eagerness(after: .aaaa, isRight: \.isIPv6)
        case .noAAAA: eagerness(after: .a)
        case .manySilent: order
        case .httpsLate:
            asked(.https) == nil ? Finding(.notSeen, "HTTPS was not asked for") : eagerness(after: .aaaa, or: .https)
        case .tlsSilent:
            attempts.contains(where: \.isTLS) ? fallback { $0 <= Self.longestHandshake } : Finding(.notSeen, "no TLS")
        case .quicSilent: fallbackToTCP
        case .pref64: synthesis
        }
    }

    // MARK: - The steps

    /// A shorter delay counts as none: both versions forbid it, and recommend at least 100 ms.
    private static let leastDelay = Duration.milliseconds(10)
    private static let recommendedDelay = Duration.milliseconds(90)...Duration.milliseconds(2200)
    /// Version 3 has no number for it. TCP gives up its own handshake after three attempts, in seven seconds.
    private static let longestHandshake = Duration.seconds(10)

    /// The first address is IPv6, unless the policy table differs. If it answers at once, it is not raced.
    private var preference: Finding {
        guard let first = attempts.first else { return Finding(.notSeen, "it went nowhere") }
        if !first.isIPv6 { return Finding(.departs, "IPv4 first") }
        guard let ipv4 = self.first(ipv6: false) else { return Finding(.asRFC, "IPv6 alone") }
        let delay = ipv4 - first.time
        return Finding(delay < Self.leastDelay ? .departs : .asRFC, "IPv6, and IPv4 after ", delay)
    }

    /// - Parameter isRight: whether the first IPv4 packet may follow the first IPv6 packet after this delay.
    private func fallback(_ isRight: (Duration) -> Bool) -> Finding {
        guard let ipv6 = first(ipv6: true) else { return Finding(.notSeen, "IPv6 was not tried") }
        guard let ipv4 = first(ipv6: false) else { return Finding(.departs, "IPv4 was not tried") }
        let delay = ipv4 - ipv6
        return Finding(isRight(delay) ? .asRFC : .departs, "IPv4 after ", delay)
    }

    /// The client connects to an address that it has, without waiting for the late answer.
    private func eagerness(
        after type: RecordType, or other: RecordType? = nil, isRight: (Attempt) -> Bool = { _ in true }
    ) -> Finding {
        guard let asked = asked(type) ?? other.flatMap(asked) else {
            return Finding(.notSeen, "\(type) was not asked for")
        }
        guard let first = attempts.first else { return Finding(.notSeen, "it went nowhere") }
        let delay = first.time - asked
        // Half the delay of the ladder's late answers: an earlier attempt has not waited for them.
        let grade: EyeballsMark.Grade = isRight(first) && delay < .seconds(1) ? .asRFC : .departs
        return Finding(grade, first.isIPv6 ? "IPv6 " : "IPv4 ", delay, " after the question")
    }

    /// The families take turns, so that a broken one costs one or two delays (First Address Family Count).
    private var order: Finding {
        let families = attempts.map { $0.isIPv6 ? "6" : "4" }
        guard let first = attempts.first, let last = attempts.last else { return Finding(.notSeen, "it went nowhere") }
        let isInterleaved = Set(families.prefix(3)).count == 2
        return Finding(
            isInterleaved ? .asRFC : .departs, "\(families.joined(separator: " ")) within ", last.time - first.time)
    }

    private var fallbackToTCP: Finding {
        guard let quic = attempts.first(where: \.isQUIC) else { return Finding(.notSeen, "no QUIC") }
        guard let tcp = attempts.first(where: { !$0.isQUIC }) else { return Finding(.departs, "TCP was not tried") }
        let delay = tcp.time - quic.time
        return Finding(delay <= Self.recommendedDelay.upperBound ? .asRFC : .departs, "TCP after ", delay)
    }

    /// A client that knows the prefix also asks for A, and makes addresses of those records.
    private var synthesis: Finding {
        if attempts.contains(where: \.isSynthesised) { return Finding(.asRFC, "an address made from the prefix") }
        return Finding(.departs, asked(.a) == nil ? "A was not asked for" : "no address made from the prefix")
    }

    // MARK: - Observations

    private func first(ipv6: Bool) -> Duration? { attempts.first { $0.isIPv6 == ipv6 }?.time }

    /// The time of the first question for a type, which is also that of its answer if no fault delays it.
    private func asked(_ type: RecordType) -> Duration? {
        queries.first { $0.question?.type == type }.map { $0.time - .zero }
    }
}
