// SPDX-License-Identifier: Apache-2.0
public import Translation
public import Wire

/// The receiver of the packets that a NAT64 emits or drops.
public protocol PacketOutput: AnyObject {
    /// A packet leaves towards `side`.
    ///
    /// The buffer is valid during the call only. The receiver may change it, for instance to write a descriptor's header into the headroom.
    /// - Parameter outline: of a packet to the IPv6 side, as far as the NAT64 knows it.
    func emit(_ packet: inout PacketBuffer, to side: Side, _ outline: IPv6Outline?)

    /// A packet from `side` is dropped. Each drop is reported once, and also counted by the NAT64.
    func dropped(_ packet: borrowing PacketBuffer, from side: Side, because reason: DropReason)
}
