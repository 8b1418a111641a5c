// SPDX-License-Identifier: Apache-2.0
package import Wire

/// A router as the origin of ICMP errors: makes them, within a rate limit (RFC 4443 §2.4(f), RFC 1812 §4.3.2.8).
///
/// An object, because all stages of a router share its only one.
package final class ErrorOrigin {
    package enum Outcome {
        case made
        /// The rules of ICMP forbid an error.
        case unanswerable
        /// The limit suppressed an error.
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

    /// Sets other addresses and another limit; identifications continue.
    package func change(
        ipv4Source: IPv4Address, ipv6Source: IPv6Address, perSecond: Int, burst: Int, now: Instant
    ) {
        builder.ipv4Source = ipv4Source
        builder.ipv6Source = ipv6Source
        bucket = TokenBucket(perSecond: perSecond, burst: burst, now: now)
    }

    /// Makes `error` about `packet`, for the packet's source. The packet is examined again, as its drop may have happened anywhere on its
    /// way.
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
