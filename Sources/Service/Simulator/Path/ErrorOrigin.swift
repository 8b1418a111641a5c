import NAT64
import Translation
import Wire

/// The router as the origin of ICMP errors: it makes them, and not too many.
struct ErrorOrigin: ~Copyable {
    private var builder: ICMPErrorBuilder
    private var bucket: TokenBucket
    /// The error that was made last.
    var packet = PacketBuffer(capacity: 1500)

    /// RFC 4443 §2.4(f) wants a limit; on a link with one client it need not be low.
    private static let perSecond = 1000

    init(ipv6Router: IPv6Address, ipv4Router: IPv4Address, now: Instant) {
        builder = ICMPErrorBuilder(ipv4Source: ipv4Router, ipv6Source: ipv6Router)
        bucket = TokenBucket(perSecond: Self.perSecond, burst: Self.perSecond, now: now)
    }

    /// Makes `error` about `offender`; false where the rules of ICMP want silence.
    mutating func make(_ error: ICMPError, about offender: borrowing PacketBuffer, at now: Instant) -> Bool {
        guard bucket.take(at: now) else { return false }
        switch error {
        case .ipv4(let error):
            guard let layout = try? IPv4Layout(offender.bytes) else { return false }
            return builder.build(error, about: offender, layout, into: &packet)
        case .ipv6(let error):
            guard let layout = try? IPv6Layout(offender.bytes) else { return false }
            return builder.build(error, about: offender, layout, into: &packet)
        }
    }
}
