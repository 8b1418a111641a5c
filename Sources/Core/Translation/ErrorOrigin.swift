// SPDX-License-Identifier: Apache-2.0
package import Wire

/// A router as the origin of ICMP errors: it makes them, and not too many (RFC 4443 §2.4(f), RFC 1812 §4.3.2.8).
///
/// One router has one, which all of its stages share: that is why it is an object.
package final class ErrorOrigin {
    package enum Outcome {
        case made
        /// The rules of ICMP want silence.
        case unanswerable
        /// There would have been one, but for the limit.
        case limited
    }

    private var builder: ICMPErrorBuilder
    private var bucket: TokenBucket

    package init(
        ipv4Source: IPv4Address, ipv6Source: IPv6Address, perSecond: Int, burst: Int, seed: UInt64 = 0, now: Instant
    ) {
        builder = ICMPErrorBuilder(ipv4Source: ipv4Source, ipv6Source: ipv6Source, seed: seed)
        bucket = TokenBucket(perSecond: perSecond, burst: burst, now: now)
    }

    /// Other addresses and another limit from now on; identifications go on where they are.
    package func change(
        ipv4Source: IPv4Address, ipv6Source: IPv6Address, perSecond: Int, burst: Int, now: Instant
    ) {
        builder.ipv4Source = ipv4Source
        builder.ipv6Source = ipv6Source
        bucket = TokenBucket(perSecond: perSecond, burst: burst, now: now)
    }

    /// Makes `error` about `packet`, for the packet's source. It is examined again: whoever gave up on it may have done so
    /// anywhere on its way.
    package func make(
        _ error: ICMPError, about packet: borrowing PacketBuffer, into reply: inout PacketBuffer, at now: Instant
    ) -> Outcome {
        let isMade: Bool
        switch error {
        case .ipv4(let error):
            guard let layout = try? IPv4Layout(packet.bytes) else { return .unanswerable }
            isMade = builder.build(error, about: packet, layout, into: &reply)
        case .ipv6(let error):
            guard let layout = try? IPv6Layout(packet.bytes) else { return .unanswerable }
            isMade = builder.build(error, about: packet, layout, into: &reply)
        }
        guard isMade else { return .unanswerable }
        return bucket.take(at: now) ? .made : .limited
    }
}
