// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

/// Reads the ClientHello that a TCP connection of the client's may begin with.
///
/// Theory of operation. A SYN of the client's gives its connection a slot; the first octets that follow give it back, at once where they
/// are no ClientHello, else when all of it has come or it will not be read. So most packets have nothing to do with this: a flow counts the
/// slots of its connections, and while it has none they are not looked for. A client's packets come from its own kernel in their order,
/// so that one which is not the next is one that was sent again, or a gap that nobody will fill: then that connection is given up.
///
/// Nothing is allocated but for a ClientHello. A connection whose place is taken takes the slot of an older one.
struct HelloWatch {
    private struct Slot {
        /// The flow's place in the log; -1 if the slot is free.
        var flow = -1
        var port: UInt16 = 0
        /// The number of the octet that is awaited.
        var next: UInt32 = 0
        var segments = 0
        /// Of a ClientHello that is not complete.
        var octets: [UInt8] = []
    }

    /// What has happened to connections.
    enum Outcome {
        /// It is waited for more.
        case awaited
        /// The connection has no slot any more.
        case ended(ClientHello?)
    }

    static let slots = 256
    /// Places in which a connection may be, one behind the other.
    private static let reach = 8
    /// Octets and segments in which a ClientHello may come. The longest that are usual (with keys of ML-KEM, ECH and a ticket) have 2 kB.
    static let limit = (octets: 8 << 10, segments: 16)

    private var table = [Slot](repeating: Slot(), count: slots)

    /// A connection begins; the same ports may have had another before.
    /// - Parameter sequence: of the first octet behind the SYN.
    /// - Returns: whether the flow has a slot more than before, and the flow that has lost one.
    mutating func begin(_ flow: Int, port: UInt16, sequence: UInt32) -> (isNew: Bool, loser: Int?) {
        let home = Self.home(flow, port)
        let known = place(flow, port)
        let place = known ?? Self.places(from: home).first { table[$0].flow < 0 } ?? home
        let loser = known == nil && table[place].flow >= 0 ? table[place].flow : nil
        table[place] = Slot(flow: flow, port: port, next: sequence)
        return (known == nil, loser)
    }

    /// A segment of a connection's; `nil` if that is not watched.
    mutating func take(_ octets: Span<UInt8>, _ flow: Int, port: UInt16, sequence: UInt32) -> Outcome? {
        guard let place = place(flow, port) else { return nil }
        let old = Int(Int32(bitPattern: table[place].next &- sequence))
        // All of it has been here.
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
            // Whether it names nobody is not known.
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
        // Ephemeral ports are often every second number.
        ((flow &* 31) ^ Int(port >> 1 ^ port << 7)) & (slots - 1)
    }
}
