// SPDX-License-Identifier: Apache-2.0
import Wire

/// How long state lasts without being refreshed.
public struct Lifetimes: Sendable, Hashable {
    /// UDP_MIN is two minutes, UDP_DEFAULT five (RFC 6146 §4).
    public var udp: Duration = .seconds(5 * 60)
    /// ICMP_DEFAULT (RFC 6146 §4, RFC 5508 REQ-1).
    public var icmpQuery: Duration = .seconds(60)
    /// TCP_EST, the established connection idle timeout: 2 hours and 4 minutes (RFC 5382 REQ-5).
    public var tcpEstablished: Duration = .seconds(2 * 3_600 + 4 * 60)
    /// TCP_TRANS, the transitory connection idle timeout (RFC 5382 REQ-5).
    public var tcpTransitory: Duration = .seconds(4 * 60)
    /// TCP_INCOMING_SYN: how long an unsolicited IPv4 SYN is stored before it is answered (RFC 5382 REQ-4).
    public var tcpIncomingSYN: Duration = .seconds(6)
    /// FRAGMENT_MIN: how long the fragments of a datagram may take to arrive (RFC 6146 §3.4).
    public var fragments: Duration = .seconds(2)
    /// How long an IPv4 transport address of UDP or ICMP stays unused after its mapping is removed (RFC 6888 REQ-8). Not needed for TCP,
    /// whose sessions are tracked, nor with address-dependent filtering.
    public var portHoldOff: Duration = .seconds(120)

    public init() {}

    /// The minimum of each that the RFCs allow, in the order of the fields.
    static let minimum: Lifetimes = {
        var minimum = Lifetimes()
        minimum.udp = .seconds(2 * 60)
        minimum.portHoldOff = .zero
        return minimum
    }()

    /// Each with its field's name, in the order of the fields.
    var named: [(name: String, duration: Duration)] {
        [
            ("udp", udp), ("icmpQuery", icmpQuery), ("tcpEstablished", tcpEstablished),
            ("tcpTransitory", tcpTransitory), ("tcpIncomingSYN", tcpIncomingSYN), ("fragments", fragments),
            ("portHoldOff", portHoldOff),
        ]
    }
}

/// The lifetimes in the form in which they are added to the time of a packet.
struct LifetimeIntervals {
    let udp: Interval
    let icmpQuery: Interval
    let tcpEstablished: Interval
    let tcpTransitory: Interval
    let tcpIncomingSYN: Interval
    let portHoldOff: Interval

    init(_ lifetimes: Lifetimes) {
        udp = Interval(lifetimes.udp)
        icmpQuery = Interval(lifetimes.icmpQuery)
        tcpEstablished = Interval(lifetimes.tcpEstablished)
        tcpTransitory = Interval(lifetimes.tcpTransitory)
        tcpIncomingSYN = Interval(lifetimes.tcpIncomingSYN)
        portHoldOff = Interval(lifetimes.portHoldOff)
    }
}
