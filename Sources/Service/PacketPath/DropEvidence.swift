import Evidence
import Translation

extension Evidence.Refusal {
    /// What the log of drops says of one reason.
    init(_ entry: DropLog.Entry) {
        self.init(
            reason: entry.reason.name, explanation: entry.reason.explanation, count: entry.count,
            example: entry.example, kind: entry.reason.kind)
    }
}

extension DropReason {
    /// Of every reason: one that is new has to be thought about.
    var kind: Evidence.Refusal.Kind {
        switch self {
        // The link's own affair, and what belongs to a packet that was counted before.
        case .illegalDestination, .addressUnreachable, .duplicateFragment, .fragmentOfRefusedDatagram,
            .storedSYNSuperseded:
            .background
        // No sound packet.
        case .truncated, .notIP, .wrongFamily, .malformedIPv4Header, .wrongIPv4HeaderChecksum, .malformedIPv6Header,
            .malformedFragment, .malformedTransport, .malformedICMPError, .wrongICMPChecksum, .unsupportedOffload,
            .fragmentOverlap:
            .routing
        // Addresses and routes, and what was done wrong on purpose.
        case .illegalSource, .sourceInsidePref64, .destinationOutsidePref64, .destinationOutsidePool,
            .hopLimitExceeded, .packetTooBig, .noRoute, .queueFull, .hairpinLoop, .fragmentsExpired, .faultLoss,
            .faultBlocked, .faultBlackHole:
            .routing
        // What comes from outside without having been asked for, or late.
        case .noBinding, .filtered, .noSession, .noSessionForICMPError, .tcpWithoutSession, .storedSYNExpired,
            .externalTCPRefused, .awaitingIPv6SYN, .prefixConflict:
            .routing
        case .portsExhausted, .bindingTableFull, .sessionTableFull, .hostQuotaExceeded, .storedSYNsExhausted,
            .fragmentStoreFull:
            .limit
        case .nonGlobalIPv4: .nonGlobal
        case .noAddressMapping, .sourceRoute, .headerAfterFragment, .udpWithoutChecksum, .fragmentedICMP,
            .icmpTypeNotTranslated, .icmpErrorNotTranslated, .icmpErrorAboutICMPError, .foreignProtocol,
            .unsupportedTransport:
            .untranslatable
        }
    }
}
