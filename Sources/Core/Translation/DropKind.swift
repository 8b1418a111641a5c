// SPDX-License-Identifier: Apache-2.0
extension DropReason {
    /// A classification of drops: whether the sender's packet was at fault, and how.
    public enum Kind: String, CaseIterable, Sendable {
        /// No fault: packets that every host sends to its own link and no router forwards, such as listener reports and mDNS, and parts of
        /// a packet that was counted before.
        case background
        /// Packets that any router drops: an expired hop limit, an unreachable address, a malformed packet.
        case routing
        /// Packets that exceed a limit: ports, table entries, stored packets.
        case limit
        /// Packets without a counterpart on the other side of a translator.
        case untranslatable
    }

    /// Lists every reason, without a default, so that a new one needs a decision.
    public var kind: Kind {
        switch self {
        // Traffic of the link itself, and parts of a packet that was counted before.
        case .illegalDestination, .addressUnreachable, .duplicateFragment, .fragmentOfRefusedDatagram,
            .storedSYNSuperseded:
            .background
        // Malformed packets.
        case .truncated, .notIP, .wrongFamily, .malformedIPv4Header, .wrongIPv4HeaderChecksum, .malformedIPv6Header,
            .malformedFragment, .malformedTransport, .malformedICMPError, .wrongICMPChecksum, .unsupportedOffload,
            .fragmentOverlap:
            .routing
        // Addresses, routes, and deliberate faults.
        case .illegalSource, .spoofedSource, .nonGlobalIPv4, .sourceInsidePref64, .destinationOutsidePref64,
            .destinationOutsidePool,
            .hopLimitExceeded, .packetTooBig, .noRoute, .queueFull, .fragmentsExpired, .faultBlackHole,
            .conditionLoss, .conditionQueueFull, .conditionOutage:
            .routing
        // Packets from outside that are unsolicited, or late.
        case .noBinding, .filtered, .noSessionForICMPError, .tcpWithoutSession, .storedSYNExpired,
            .externalTCPRefused, .awaitingIPv6SYN, .prefixConflict:
            .routing
        case .portsExhausted, .bindingTableFull, .sessionTableFull, .hostQuotaExceeded, .storedSYNsExhausted,
            .fragmentStoreFull:
            .limit
        case .noAddressMapping, .sourceRoute, .headerAfterFragment, .udpWithoutChecksum, .fragmentedICMP,
            .icmpTypeNotTranslated, .icmpErrorNotTranslated, .icmpErrorAboutICMPError, .foreignProtocol,
            .unsupportedTransport:
            .untranslatable
        }
    }
}
