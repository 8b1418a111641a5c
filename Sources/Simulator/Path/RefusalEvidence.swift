import Findings
import Translation

extension Findings.Refusal {
    /// What the log of drops says of one reason.
    init(_ entry: DropLog.Entry) {
        self.init(
            reason: entry.reason.name, explanation: entry.reason.explanation, count: entry.count,
            example: entry.example, kind: entry.reason.kind)
    }
}

extension DropReason {
    fileprivate var kind: Findings.Refusal.Kind {
        switch self {
        case .illegalDestination, .addressUnreachable: .background
        case .hopLimitExceeded, .packetTooBig, .noRoute, .queueFull, .noBinding, .noSession, .noSessionForICMPError,
            .tcpWithoutSession, .destinationOutsidePool, .faultBlackHole:
            .routing
        default: .untranslatable
        }
    }
}
