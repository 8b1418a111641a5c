// SPDX-License-Identifier: Apache-2.0
package import Translation
package import Wire

/// Who takes what a router lets go.
package protocol RouterOutput: AnyObject {
    /// A packet leaves by `link`. Returns nil if the link took it, else why not: the router counts that.
    ///
    /// The buffer is valid during the call only. The receiver may change it, to write a descriptor's header into the headroom for
    /// instance.
    func send(_ packet: inout PacketBuffer, to link: Link) -> DropReason?

    /// A packet that came from `link` goes nowhere. Each drop is told once, and counted by the router as well.
    func dropped(_ packet: borrowing PacketBuffer, from link: Link, because reason: DropReason)
}
