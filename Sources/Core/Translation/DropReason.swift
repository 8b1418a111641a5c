// SPDX-License-Identifier: Apache-2.0
public import Wire

/// Every reason for which a packet is not forwarded: the closed list. Each drop has one reason, and is counted under it.
///
/// Names are stable, as they are written to files. Raw values only number the counters.
public enum DropReason: UInt8, CaseIterable, Hashable, Sendable {
    // Not a packet.
    case truncated
    case notIP
    case wrongFamily
    case malformedIPv4Header
    case wrongIPv4HeaderChecksum
    case malformedIPv6Header
    case malformedFragment
    case malformedTransport

    // Addresses.
    case illegalSource
    case illegalDestination
    case nonGlobalIPv4
    case sourceInsidePref64
    case destinationOutsidePref64
    case noAddressMapping

    // Routers' rules, translation (RFC 7915).
    case hopLimitExceeded
    case packetTooBig
    case sourceRoute
    case headerAfterFragment
    case udpWithoutChecksum
    case fragmentedICMP
    case icmpTypeNotTranslated
    case icmpErrorNotTranslated
    case icmpErrorAboutICMPError
    case malformedICMPError
    case wrongICMPChecksum
    case foreignProtocol
    case unsupportedOffload

    // State (RFC 6146).
    case unsupportedTransport
    case noBinding
    case filtered
    case noSessionForICMPError
    case tcpWithoutSession
    case portsExhausted
    case bindingTableFull
    case sessionTableFull
    case hostQuotaExceeded
    case storedSYNsExhausted
    case storedSYNExpired
    case fragmentStoreFull
    case fragmentOverlap
    case fragmentsExpired
    case prefixConflict
    case externalTCPRefused
    case awaitingIPv6SYN
    case storedSYNSuperseded
    case destinationOutsidePool
    case duplicateFragment
    case fragmentOfRefusedDatagram

    // Faults and conditions of the simulator.
    case spoofedSource
    case noRoute
    case addressUnreachable
    case queueFull
    case faultBlackHole
    case conditionLoss
    case conditionQueueFull
    case conditionOutage

    /// A machine-readable name, in kebab case.
    public var name: String {
        switch self {
        case .truncated: "truncated"
        case .notIP: "not-ip"
        case .wrongFamily: "wrong-family"
        case .malformedIPv4Header: "malformed-ipv4-header"
        case .wrongIPv4HeaderChecksum: "wrong-ipv4-header-checksum"
        case .malformedIPv6Header: "malformed-ipv6-header"
        case .malformedFragment: "malformed-fragment"
        case .malformedTransport: "malformed-transport"
        case .illegalSource: "illegal-source"
        case .illegalDestination: "illegal-destination"
        case .nonGlobalIPv4: "non-global-ipv4"
        case .sourceInsidePref64: "source-inside-pref64"
        case .destinationOutsidePref64: "destination-outside-pref64"
        case .noAddressMapping: "no-address-mapping"
        case .hopLimitExceeded: "hop-limit-exceeded"
        case .packetTooBig: "packet-too-big"
        case .sourceRoute: "source-route"
        case .headerAfterFragment: "header-after-fragment"
        case .udpWithoutChecksum: "udp-without-checksum"
        case .fragmentedICMP: "fragmented-icmp"
        case .icmpTypeNotTranslated: "icmp-type-not-translated"
        case .icmpErrorNotTranslated: "icmp-error-not-translated"
        case .icmpErrorAboutICMPError: "icmp-error-about-icmp-error"
        case .malformedICMPError: "malformed-icmp-error"
        case .wrongICMPChecksum: "wrong-icmp-checksum"
        case .foreignProtocol: "foreign-protocol"
        case .unsupportedOffload: "unsupported-offload"
        case .unsupportedTransport: "unsupported-transport"
        case .noBinding: "no-binding"
        case .filtered: "filtered"
        case .noSessionForICMPError: "no-session-for-icmp-error"
        case .tcpWithoutSession: "tcp-without-session"
        case .portsExhausted: "ports-exhausted"
        case .bindingTableFull: "binding-table-full"
        case .sessionTableFull: "session-table-full"
        case .hostQuotaExceeded: "host-quota-exceeded"
        case .storedSYNsExhausted: "stored-syns-exhausted"
        case .storedSYNExpired: "stored-syn-expired"
        case .fragmentStoreFull: "fragment-store-full"
        case .fragmentOverlap: "fragment-overlap"
        case .fragmentsExpired: "fragments-expired"
        case .prefixConflict: "prefix-conflict"
        case .externalTCPRefused: "external-tcp-refused"
        case .awaitingIPv6SYN: "awaiting-ipv6-syn"
        case .storedSYNSuperseded: "stored-syn-superseded"
        case .destinationOutsidePool: "destination-outside-pool"
        case .duplicateFragment: "duplicate-fragment"
        case .fragmentOfRefusedDatagram: "fragment-of-refused-datagram"
        case .spoofedSource: "spoofed-source"
        case .noRoute: "no-route"
        case .addressUnreachable: "address-unreachable"
        case .queueFull: "queue-full"
        case .faultBlackHole: "fault-black-hole"
        case .conditionLoss: "condition-loss"
        case .conditionQueueFull: "condition-queue-full"
        case .conditionOutage: "condition-outage"
        }
    }

    /// A one-line explanation for users.
    public var explanation: String {
        switch self {
        case .truncated: "the packet ends before its headers say it does"
        case .notIP: "neither an IPv4 nor an IPv6 packet"
        case .wrongFamily: "an IPv6 packet came where IPv4 packets come, or the other way round"
        case .malformedIPv4Header: "the IPv4 header contradicts itself"
        case .wrongIPv4HeaderChecksum: "the IPv4 header checksum is wrong"
        case .malformedIPv6Header: "the IPv6 header or its extension headers contradict themselves"
        case .malformedFragment: "a fragment lies beyond the end of any datagram"
        case .malformedTransport: "the TCP or UDP header contradicts itself"
        case .illegalSource: "no router forwards a packet from this source address (loopback, multicast, link-local …)"
        case .illegalDestination: "no router forwards a packet to this destination address (loopback, multicast …)"
        case .nonGlobalIPv4: "the well-known prefix must not carry a non-global IPv4 address (RFC 6052 §3.1)"
        case .sourceInsidePref64: "an IPv6 packet claims to come from inside the Pref64 (RFC 6146 §3.5)"
        case .destinationOutsidePref64: "the IPv6 destination is not inside a Pref64"
        case .noAddressMapping: "an address has no counterpart in the other family (RFC 7757)"
        case .hopLimitExceeded: "the hop limit or TTL ran out"
        case .packetTooBig: "the packet is larger than the next hop's MTU and must not be fragmented"
        case .sourceRoute: "a source route or routing header is not used up (RFC 7915 §4.1, §5.1)"
        case .headerAfterFragment: "an extension header follows the Fragment header (RFC 7915 §5.1.1)"
        case .udpWithoutChecksum: "UDP without a checksum, which IPv6 does not allow"
        case .fragmentedICMP: "fragmented ICMP cannot be translated (RFC 7915 §4.1, §5.1)"
        case .icmpTypeNotTranslated: "an ICMP message that has no counterpart in the other family"
        case .icmpErrorNotTranslated: "an ICMP error whose code or pointer has no counterpart in the other family"
        case .icmpErrorAboutICMPError: "an ICMP error quotes an ICMP error"
        case .malformedICMPError: "the packet that an ICMP error quotes cannot be read"
        case .wrongICMPChecksum: "the ICMP checksum is wrong"
        case .foreignProtocol: "the protocol number means ICMP or an extension header, but of the other family"
        case .unsupportedOffload: "the kernel left work that does not fit the packet"
        case .unsupportedTransport: "a transport that stateful NAT64 does not know (RFC 6146 §3.5)"
        case .noBinding: "nothing from inside has used this address and port (RFC 6146 §3.5)"
        case .filtered: "address-dependent filtering: nothing was sent to this IPv4 address before"
        case .noSessionForICMPError: "no session matches the packet that an ICMP error quotes"
        case .tcpWithoutSession: "a TCP segment other than SYN without a session"
        case .portsExhausted: "no IPv4 port or identifier is free"
        case .bindingTableFull: "the table of bindings is full"
        case .sessionTableFull: "the table of sessions is full"
        case .hostQuotaExceeded: "the IPv6 host has all the bindings or sessions that it may have"
        case .storedSYNsExhausted: "too many unsolicited SYNs are waiting"
        case .storedSYNExpired: "an unsolicited SYN was not met by one from inside"
        case .fragmentStoreFull: "too many fragments are waiting for their first one"
        case .fragmentOverlap: "fragments of a datagram overlap"
        case .fragmentsExpired: "a datagram's fragments did not all come in time"
        case .prefixConflict: "the host already reaches this IPv4 address and port under another Pref64"
        case .externalTCPRefused: "connections from the IPv4 side are refused by configuration"
        case .awaitingIPv6SYN: "a SYN from the IPv4 side is stored, and the IPv6 side has not sent one"
        case .storedSYNSuperseded: "both sides sent a SYN: the stored one is not needed (RFC 5382 REQ-4)"
        case .destinationOutsidePool: "the IPv4 destination is none of the NAT64's addresses"
        case .duplicateFragment: "the fragment came before"
        case .fragmentOfRefusedDatagram: "the fragment belongs to a datagram that was dropped"
        case .spoofedSource: "the source is no address of the link that the packet came from (BCP 38)"
        case .noRoute: "there is no route to the destination"
        case .addressUnreachable: "the destination address is unreachable"
        case .queueFull: "the output queue is full"
        case .faultBlackHole: "larger than the injected path-MTU black hole lets through"
        case .conditionLoss: "lost by chance, as the conditions of the network have it"
        case .conditionQueueFull: "the queue of the slow link is full, as the conditions of the network have it"
        case .conditionOutage: "the link is down or leads nowhere, as the conditions of the network have it"
        }
    }
}

extension DropReason: CustomStringConvertible {
    public var description: String { name }
}

extension DropReason {
    /// The reason if an IPv4 packet cannot be parsed.
    public init(ipv4 error: WireError) {
        switch error {
        case .truncated, .jumbogram: self = .truncated
        case .wrongVersion: self = .notIP
        case .headerTooShort, .lengthTooSmall, .tooManyExtensionHeaders: self = .malformedIPv4Header
        case .wrongHeaderChecksum: self = .wrongIPv4HeaderChecksum
        case .fragmentBeyondLimit: self = .malformedFragment
        case .wrongDataOffset, .wrongUDPLength: self = .malformedTransport
        }
    }

    /// The reason if an IPv6 packet cannot be parsed.
    public init(ipv6 error: WireError) {
        switch error {
        case .truncated: self = .truncated
        case .wrongVersion: self = .notIP
        case .headerTooShort, .wrongHeaderChecksum, .lengthTooSmall, .jumbogram, .tooManyExtensionHeaders:
            self = .malformedIPv6Header
        case .fragmentBeyondLimit: self = .malformedFragment
        case .wrongDataOffset, .wrongUDPLength: self = .malformedTransport
        }
    }
}
