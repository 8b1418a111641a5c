// SPDX-License-Identifier: Apache-2.0
import Translation
import Wire

// RFC 6146 §3.8, Handling Hairpinning: "If the destination IPv4 address is an address assigned to the NAT64 itself, then the
// packet is a hairpin packet. The outgoing 5-tuple becomes the incoming 5-tuple, and the packet is treated as if it was
// received from the outgoing interface."

extension NAT64 {
    /// Handles a packet that has become an IPv4 one, from one address of the pool to another. If it is emitted at all, then to the IPv6
    /// side: no host is inside a Pref64, so it cannot come back here.
    mutating func hairpin(_ packet: inout PacketBuffer, _ output: any PacketOutput) {
        counters.hairpinned &+= 1
        receiveIPv4(&packet, from: .hairpin, output)
    }
}
