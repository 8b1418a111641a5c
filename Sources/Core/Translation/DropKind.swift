// SPDX-License-Identifier: Apache-2.0
extension DropReason {
    /// What a drop says of whoever sent the packet.
    public enum Kind: String, CaseIterable, Sendable {
        /// Nothing: what every host sends to its own link and no router forwards, such as listener reports and mDNS, and what
        /// belongs to a packet that was counted before.
        case background
        /// What any router drops: a hop limit that ran out, an address that leads nowhere, a packet that is none.
        case routing
        /// What there is no room for: ports, table entries, stored packets.
        case limit
        /// What has no counterpart on the other side of a translator.
        case untranslatable
    }

    /// Of every reason: one that is new has to be thought about.
    public var kind: Kind {
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
        case .illegalSource, .spoofedSource, .nonGlobalIPv4, .sourceInsidePref64, .destinationOutsidePref64,
            .destinationOutsidePool,
            .hopLimitExceeded, .packetTooBig, .noRoute, .queueFull, .fragmentsExpired, .faultBlackHole,
            .conditionLoss, .conditionQueueFull, .conditionOutage:
            .routing
        // What comes from outside without having been asked for, or late.
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
