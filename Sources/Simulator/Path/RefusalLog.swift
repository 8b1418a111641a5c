import Findings
import Translation

/// How often packets were refused, for which reasons, and what the first of each looked like.
///
/// Touched by the packet path's thread only, and read after it has ended. The number of reasons is the size.
struct RefusalLog {
    private var counts = [UInt64](repeating: 0, count: DropReason.allCases.count)
    private var examples = [String](repeating: "", count: DropReason.allCases.count)

    /// - Parameter example: made only for the first packet of each reason.
    mutating func record(_ reason: DropReason, example: () -> String) {
        let index = Int(reason.rawValue)
        if counts[index] == 0 { examples[index] = example() }
        counts[index] += 1
    }

    var refusals: [Findings.Refusal] {
        DropReason.allCases.compactMap { reason -> Findings.Refusal? in
            let index = Int(reason.rawValue)
            guard counts[index] > 0 else { return nil }
            return Findings.Refusal(
                reason: reason.name, explanation: reason.explanation, count: counts[index], example: examples[index],
                kind: reason.kind)
        }
    }
}

extension DropReason {
    fileprivate var kind: Findings.Refusal.Kind {
        switch self {
        case .illegalDestination, .addressUnreachable: .background
        case .hopLimitExceeded, .packetTooBig, .noRoute, .queueFull, .noBinding, .noSession, .noSessionForICMPError,
            .tcpWithoutSession, .destinationOutsidePool:
            .routing
        default: .untranslatable
        }
    }
}
