// SPDX-License-Identifier: Apache-2.0
import Wire

/// A packet that the NAT64 receives again and again.
struct PacketTemplate {
    private let octets: [UInt8]
    /// The octets that translation may change; the payload stays where it is, unchanged.
    private let head: [UInt8]
    private let offload: Offload

    private static let headLength = 96

    init(_ packet: borrowing PacketBuffer) {
        octets = (0..<packet.count).map { packet.bytes[$0] }
        head = Array(octets.prefix(Self.headLength))
        offload = packet.offload
    }

    /// To be called before the first `refill`.
    func fill(_ buffer: inout PacketBuffer) {
        buffer.replace(with: octets.span)
        buffer.offload = offload
    }

    /// Undoes translation's changes to the buffer.
    @inline(always)
    func refill(_ buffer: inout PacketBuffer) {
        buffer.replace(with: head.span)
        buffer.resize(to: octets.count)
        buffer.offload = offload
    }
}
