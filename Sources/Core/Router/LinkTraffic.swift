// SPDX-License-Identifier: Apache-2.0
import Wire

/// Traffic of a router's two links.
package struct LinkTraffic: Hashable, Sendable {
    package struct Direction: Hashable, Sendable {
        /// A super-packet that arrived as one counts once.
        package internal(set) var packets: UInt64 = 0
        /// IP headers included.
        package internal(set) var octets: UInt64 = 0

        /// - Parameter datagrams: the number of datagrams in a super-packet that was joined here: each of them counts.
        @inline(always)
        mutating func count(_ packet: borrowing PacketBuffer, datagrams: Int = 1) {
            packets &+= UInt64(datagrams)
            octets &+= UInt64(packet.count + (datagrams - 1) * Int(packet.offload.headerLength))
        }
    }

    package internal(set) var fromClient = Direction()
    package internal(set) var toClient = Direction()
    package internal(set) var fromWorld = Direction()
    package internal(set) var toWorld = Direction()

    package init() {}

    /// Traffic received from a link.
    package func from(_ link: Link) -> Direction { link == .client ? fromClient : fromWorld }
    /// Traffic sent to a link.
    package func to(_ link: Link) -> Direction { link == .client ? toClient : toWorld }
}
