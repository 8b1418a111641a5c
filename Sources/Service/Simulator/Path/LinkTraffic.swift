import Wire

/// How much crossed the client's link.
package struct LinkTraffic: Hashable, Sendable {
    package struct Direction: Hashable, Sendable {
        /// A super-packet counts once.
        package internal(set) var packets: UInt64 = 0
        /// IP headers included.
        package internal(set) var octets: UInt64 = 0

        mutating func count(_ packet: borrowing PacketBuffer) {
            packets &+= 1
            octets &+= UInt64(packet.count)
        }
    }

    package internal(set) var fromClient = Direction()
    package internal(set) var toClient = Direction()
}
