// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

/// Reads the ClientHello with which a TCP connection of the client may begin.
///
/// Theory of operation. A SYN of the client takes a slot for its connection. The slot is released by the first octets that follow: at once
/// if they do not begin a ClientHello, else when the ClientHello is complete or cannot be read. So most packets are not looked at: a flow
/// counts the slots of its connections, and without one there is no look-up. A client's packets come from its own kernel in order, so a
/// segment that is not the next one is a retransmission, or follows a gap that will not be filled: then that connection is given up.
///
/// It allocates only for a ClientHello. If all slots of a new connection are taken, it replaces an older connection.
struct HelloWatch {
    private struct Slot {
        /// The flow's index in the log; -1 if the slot is free.
        var flow = -1
        var port: UInt16 = 0
        /// The sequence number of the octet that is awaited.
        var next: UInt32 = 0
        var segments = 0
        /// Octets of an incomplete ClientHello.
        var octets: [UInt8] = []
    }

    /// The state of a connection after a segment.
    enum Outcome {
        /// More octets are awaited.
        case awaited
        /// The connection no longer has a slot.
        case ended(ClientHello?)
    }

    static let slots = 256
    /// Number of consecutive slots in which a connection may be.
    private static let reach = 8
    /// Maximum octets and segments of a ClientHello. The longest that are usual (with keys of ML-KEM, ECH and a ticket) have 2 kB.
    static let limit = (octets: 8 << 10, segments: 16)

    private var table = [Slot](repeating: Slot(), count: slots)

    /// Begins a connection; the same ports may have had another before.
    /// - Parameter sequence: the number of the first octet behind the SYN.
    /// - Returns: whether the flow has one slot more than before, and the flow that has lost one.
    mutating func begin(_ flow: Int, port: UInt16, sequence: UInt32) -> (isNew: Bool, loser: Int?) {
        let home = Self.home(flow, port)
        let known = place(flow, port)
        let place = known ?? Self.places(from: home).first { table[$0].flow < 0 } ?? home
        let loser = known == nil && table[place].flow >= 0 ? table[place].flow : nil
        table[place] = Slot(flow: flow, port: port, next: sequence)
        return (known == nil, loser)
    }

    /// Takes a segment of a connection; `nil` if the connection is not watched.
    mutating func take(_ octets: Span<UInt8>, _ flow: Int, port: UInt16, sequence: UInt32) -> Outcome? {
        guard let place = place(flow, port) else { return nil }
        let old = Int(Int32(bitPattern: table[place].next &- sequence))
        // All octets are known: a retransmission.
        if old >= octets.count { return .awaited }
        if old < 0 { return end(place, with: nil) }
        let new = octets.extracting(old..<min(octets.count, old + Self.limit.octets - table[place].octets.count))
        if table[place].octets.isEmpty, !ClientHello.mayBegin(new) { return end(place, with: nil) }
        table[place].octets.reserveCapacity(table[place].octets.count + new.count)
        for index in new.indices { table[place].octets.append(new[index]) }
        table[place].next &+= UInt32(new.count)
        table[place].segments += 1
        let known = table[place].octets
        switch ClientHello.read(known.span) {
        case .other: return end(place, with: nil)
        case .whole(let hello): return end(place, with: hello)
        case .part(let hello):
            if table[place].octets.count < Self.limit.octets, table[place].segments < Self.limit.segments {
                return .awaited
            }
            // A server name may be in the missing part.
            return end(place, with: hello.serverName == nil ? nil : hello)
        }
    }

    private mutating func end(_ place: Int, with hello: ClientHello?) -> Outcome {
        table[place] = Slot()
        return .ended(hello)
    }

    private func place(_ flow: Int, _ port: UInt16) -> Int? {
        Self.places(from: Self.home(flow, port)).first { table[$0].flow == flow && table[$0].port == port }
    }

    private static func places(from home: Int) -> some Sequence<Int> {
        (0..<reach).lazy.map { (home + $0) & (slots - 1) }
    }

    private static func home(_ flow: Int, _ port: UInt16) -> Int {
        // Ephemeral ports of successive connections often differ by two.
        ((flow &* 31) ^ Int(port >> 1 ^ port << 7)) & (slots - 1)
    }
}
