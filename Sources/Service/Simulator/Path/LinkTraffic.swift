import Wire

/// How much crossed the client's link.
public struct LinkTraffic: Hashable, Sendable {
    public struct Direction: Hashable, Sendable {
        /// A super-packet counts once.
        public internal(set) var packets: UInt64 = 0
        /// IP headers included.
        public internal(set) var octets: UInt64 = 0

        mutating func count(_ packet: borrowing PacketBuffer) {
            packets &+= 1
            octets &+= UInt64(packet.count)
        }
    }

    public internal(set) var fromClient = Direction()
    public internal(set) var toClient = Direction()
}
