// SPDX-License-Identifier: Apache-2.0
package import Wire

/// A receiver of every packet of both sides, as it arrives and as it leaves.
package protocol PacketTap: AnyObject, Sendable {
    /// Called on the packet path's thread; the packet is valid during the call only.
    func record(_ packet: borrowing PacketBuffer)
}
