// SPDX-License-Identifier: Apache-2.0
package import Translation
package import Wire

/// Takes the packets that a router sends or drops.
package protocol RouterOutput: AnyObject {
    /// Sends a packet by `link`. Returns nil if the link took it, else the reason, which the router counts.
    ///
    /// The buffer is valid during the call only. The receiver may change it, for instance to write a descriptor's header into the headroom.
    func send(_ packet: inout PacketBuffer, to link: Link) -> DropReason?

    /// Reports that a packet from `link` was dropped. Called once for each drop, which the router counts as well.
    func dropped(_ packet: borrowing PacketBuffer, from link: Link, because reason: DropReason)
}
