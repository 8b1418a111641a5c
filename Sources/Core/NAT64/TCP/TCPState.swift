// SPDX-License-Identifier: Apache-2.0
import Wire

/// The state of a TCP session (RFC 6146 §3.5.2.1).
///
/// A session that is in the table is never CLOSED: that is the state of a connection that has no session.
public enum TCPState: UInt8, CaseIterable, Hashable, Sendable {
    case closed
    /// A SYN arrived from the IPv4 side.
    case v4Init
    /// A SYN arrived from the IPv6 side.
    case v6Init
    case established
    /// A FIN arrived from the IPv4 side.
    case v4FinRcv
    /// A FIN arrived from the IPv6 side.
    case v6FinRcv
    /// A FIN arrived from each side.
    case v4FinV6FinRcv
    /// A RST arrived, or the session was idle for too long and a probe was sent: it will be removed unless the connection turns out to be
    /// alive.
    case trans
}

/// The effect of a segment on an existing session.
struct TCPTransition: Equatable {
    enum Lifetime {
        /// The timer keeps running.
        case unchanged
        /// TCP_TRANS
        case transitory
        /// The maximum session lifetime, at least TCP_EST
        case established
    }

    var state: TCPState
    var lifetime: Lifetime

    init(_ state: TCPState, _ lifetime: Lifetime) {
        self.state = state
        self.lifetime = lifetime
    }
}

extension TCPState {
    /// RFC 6146 §3.5.2.2, state by state. Every segment is translated and forwarded; the code that makes sessions handles CLOSED and the
    /// storing of an IPv4 SYN.
    @inline(always)
    func after(_ segment: TCPSegment, from side: Side) -> TCPTransition {
        switch self {
        case .closed:
            return TCPTransition(.closed, .unchanged)

        case .v4Init:
            if segment == .syn && side == .ipv6 { return TCPTransition(.established, .established) }
            return TCPTransition(.v4Init, .unchanged)

        case .v6Init:
            if segment == .syn {
                return side == .ipv4
                    ? TCPTransition(.established, .established) : TCPTransition(.v6Init, .transitory)
            }
            return TCPTransition(.v6Init, .unchanged)

        case .established:
            switch segment {
            case .fin: return TCPTransition(side == .ipv4 ? .v4FinRcv : .v6FinRcv, .unchanged)
            // The NAT64 does not know whether the receiver will accept the RST, so the session is not removed yet.
            case .rst: return TCPTransition(.trans, .transitory)
            case .syn, .other: return TCPTransition(.established, .established)
            }

        case .v4FinRcv:
            if segment == .fin && side == .ipv6 { return TCPTransition(.v4FinV6FinRcv, .transitory) }
            return TCPTransition(.v4FinRcv, .established)

        case .v6FinRcv:
            if segment == .fin && side == .ipv4 { return TCPTransition(.v4FinV6FinRcv, .transitory) }
            return TCPTransition(.v6FinRcv, .established)

        case .v4FinV6FinRcv:
            return TCPTransition(.v4FinV6FinRcv, .unchanged)

        case .trans:
            return segment == .rst ? TCPTransition(.trans, .unchanged) : TCPTransition(.established, .established)
        }
    }
}
