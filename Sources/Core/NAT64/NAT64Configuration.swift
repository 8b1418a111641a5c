// SPDX-License-Identifier: Apache-2.0
public import Translation
public import Wire

/// A permanent BIB entry, present from the start (RFC 6146 §3.1).
public struct StaticBinding: Hashable, Sendable, CustomStringConvertible {
    public var transport: TransportProtocol
    public var host: TransportAddress6
    public var mapped: TransportAddress4

    public init(_ transport: TransportProtocol, _ host: TransportAddress6, _ mapped: TransportAddress4) {
        self.transport = transport
        self.host = host
        self.mapped = mapped
    }

    public var description: String { "\(transport) \(host) <-> \(mapped)" }
}

/// The packets from the IPv4 side that may use a mapping (RFC 6146 §3.5, RFC 4787 §5).
public enum Filtering: Hashable, Sendable {
    /// Packets from any address.
    case endpointIndependent
    /// Packets from an IPv4 address to which the host has sent something.
    case addressDependent
}

/// The pool address of a host when the ports of its paired address are exhausted (RFC 4787 REQ-2).
public enum AddressPooling: Hashable, Sendable {
    /// None: the packet is dropped (RFC 6888 REQ-2).
    case paired
    /// Another one.
    case pairedWherePossible
}

/// The treatment of fragmented IPv4 UDP datagrams without a checksum, which IPv6 does not allow (RFC 6146 §3.4).
public enum ZeroChecksumFragments: Hashable, Sendable {
    case reassemble
    case drop
}

/// The ICMP errors that the NAT64 makes by itself.
public struct ErrorPolicy: Hashable, Sendable {
    public var isEnabled = true
    /// The NAT64's own addresses, the sources of its errors.
    public var ipv6Source: IPv6Address
    public var ipv4Source: IPv4Address
    /// Rate limit, in the long run and at once (RFC 4443 §2.4(f)). Errors beyond it are counted, but not sent.
    public var perSecond = 1_000
    public var burst = 1_000
    /// Routers on the IPv4 side whose address no Pref64 may carry borrow one of these for their errors (RFC 6791).
    public var ipv6Prefix: IPv6Prefix?
    /// Whether a translated error of the IPv4 side comes from the router that sent it. Otherwise it comes from the destination of the
    /// packet in error (RFC 6146 §3.6.1), and traceroute does not show the path.
    public var keepsRouterAddresses = true

    /// The addresses that routers borrow.
    public var borrowedSources: ErrorSources {
        ErrorSources(ipv6Prefix: ipv6Prefix, ipv4: ipv4Source, ipv6: ipv6Source)
    }

    public init(ipv6Source: IPv6Address, ipv4Source: IPv4Address) {
        self.ipv6Source = ipv6Source
        self.ipv4Source = ipv4Source
    }
}

extension ErrorOrigin {
    /// The origin that the policy describes.
    package convenience init(_ policy: ErrorPolicy, seed: UInt64, now: Instant) {
        self.init(
            ipv4Source: policy.ipv4Source, ipv6Source: policy.ipv6Source, perSecond: policy.perSecond,
            burst: policy.burst, seed: seed, now: now)
    }

    /// Switches to another policy.
    package func change(to policy: ErrorPolicy, now: Instant) {
        change(
            ipv4Source: policy.ipv4Source, ipv6Source: policy.ipv6Source, perSecond: policy.perSecond,
            burst: policy.burst, now: now)
    }
}

/// All settings of a NAT64; the defaults are the RFCs'.
public struct NAT64Configuration: Sendable {
    /// The first one is used for IPv4 hosts that open a flow.
    public var prefixes: [Pref64]
    public var pool: [IPv4Address]
    /// The ports of UDP and TCP and the identifiers of ICMP for mappings, if an address of the pool does not have all of them because the
    /// others belong to other hosts.
    public var poolPorts: [IPv4Address: ClosedRange<UInt16>] = [:]
    public var staticBindings: [StaticBinding] = []

    public var filtering = Filtering.endpointIndependent
    public var pooling = AddressPooling.paired
    /// Off only to follow RFC 7857 §8 instead of RFC 6146 §3.5.1.1.
    public var preservesPortParity = true
    /// "The security policy requires silently dropping externally initiated TCP connections" (RFC 6146 §3.5.2.2).
    public var refusesIPv4InitiatedTCP = false
    /// Whether a packet from the IPv4 side refreshes a UDP or ICMP session, too (RFC 4787 REQ-6).
    public var refreshesFromIPv4 = true
    public var zeroChecksumFragments = ZeroChecksumFragments.reassemble
    /// IPv4 addresses that are reachable under the well-known prefix although they are not global (RFC 6052 §3.1).
    public var exemptIPv4: [IPv4Prefix] = []

    public var lifetimes = Lifetimes()
    /// Allows lifetimes shorter than the RFCs permit, as many real NATs have them.
    public var allowsShortLifetimes = false
    /// Whether an idle established connection is probed before it ends, as it SHOULD be (RFC 6146 §3.5.2.2). Many real NATs delete it
    /// without a probe.
    public var probesIdleConnections = true
    public var limits = Limits()
    public var errors: ErrorPolicy
    /// How headers are translated (RFC 7915).
    public var translation = TranslationOptions()

    public init(prefixes: [Pref64], pool: [IPv4Address], errors: ErrorPolicy) {
        self.prefixes = prefixes
        self.pool = pool
        self.errors = errors
    }
}
