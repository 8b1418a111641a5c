// SPDX-License-Identifier: Apache-2.0
public import Translation
public import Wire

/// Who takes the packets that a NAT64 lets go.
public protocol PacketOutput: AnyObject {
    /// A packet leaves towards `side`.
    ///
    /// The buffer is valid during the call only. The receiver may change it, to write a descriptor's header into the
    /// headroom for instance.
    /// - Parameter outline: of a packet to the IPv6 side, as far as the NAT64 knows it.
    func emit(_ packet: inout PacketBuffer, to side: Side, _ outline: IPv6Outline?)

    /// A packet from `side` goes nowhere. Each drop is told once, and counted by the NAT64 as well.
    func dropped(_ packet: borrowing PacketBuffer, from side: Side, because reason: DropReason)
}
