// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

/// A client's flows, as they crossed its link: one entry for each far address, transport and port.
///
/// Theory of operation. The entries are in the order of their first packets; a hash table with open addressing, at least half of whose
/// slots are free, holds their indices. Only the packet path's thread uses it. Entries are never removed, and if the limit is reached,
/// further flows are counted as lost: a client that scans ports cannot make the log grow, nor a look-up slow. An entry has no
/// reference-counted fields: ClientHellos, which only some flows have, are kept beside the entries.
struct FlowLog {
    /// The contents of a packet that matter to its flow.
    struct Observation {
        var key: Key
        var isFromClient: Bool
        /// Octets of payload behind the transport header.
        var payload: Int
        var event = Event.none
        /// Whether either side closes the connection or resets it.
        var isEnd = false

        enum Event {
            case none, attempt, accepted, refused
            /// The client no longer has a socket for the packet that arrived.
            case late
            /// The far end opens a connection.
            case inboundAttempt
        }

        /// Whether a packet of an unknown flow begins one. A TCP connection begins with a SYN: any other segment from the far end is left
        /// over from a connection of an earlier client, which had the same address.
        fileprivate var beginsFlow: Bool { isFromClient || key.transport != .tcp || event == .inboundAttempt }
    }

    struct Key: Hashable {
        /// IPv4 addresses in their mapped form, ::ffff:a.b.c.d.
        var remote: IPv6Address
        var port: UInt16
        var transport: Flow.Transport
    }

    struct Entry {
        var key: Key
        var translatedTo: IPv4Address?
        var attempts = 0
        var accepted = 0
        var refused = 0
        var late = 0
        var sent: UInt64 = 0
        var received: UInt64 = 0
        var unreachable: Flow.Unreachable?
        var isInbound = false
        var first = Instant.zero
        var answer: Instant?
        var last = Instant.zero
        var end: Instant?
        /// Number of connections whose first octets are awaited.
        var awaited = 0
    }

    /// Maximum number of flows of a client of ours.
    static let limit = 2048
    /// Maximum number of ClientHellos that are kept, of all flows.
    static let helloLimit = 1024

    private(set) var entries: [Entry] = []
    /// Index of the entry, plus 1; 0 is a free slot.
    private var slots: [UInt16]
    /// The origin of the times.
    let start: Instant
    /// Packets of flows for which there was no room.
    private(set) var lost = 0
    /// `nil` if ClientHellos are not read.
    private var watch: HelloWatch?
    /// By the flow's index.
    private var sentHellos: [Int: SentHellos] = [:]
    private var helloCount = 0

    /// The log of the only client. Later allocations are only for ClientHellos.
    init(since start: Instant = .zero) {
        self.start = start
        slots = [UInt16](repeating: 0, count: 2 * Self.limit)
        watch = HelloWatch()
        // Reserved memory that no flow has used is not paged in.
        entries.reserveCapacity(Self.limit)
    }

    /// The log of one of many clients; its memory grows with its flows.
    init(ofOneOfManySince start: Instant) {
        self.start = start
        slots = [UInt16](repeating: 0, count: 16)
    }

    /// - Parameter translatedTo: the IPv4 address behind the NAT64, called once for each flow; `nil` if it is not translated.
    ///   - limit: maximum number of flows.
    /// - Returns: the flow's index; `nil` if it has none.
    @discardableResult
    mutating func record(
        _ observation: Observation, at now: Instant = .zero, limit: Int = limit,
        translatedTo: () -> IPv4Address? = { nil }
    ) -> Int? {
        let index: Int
        switch look(for: observation.key) {
        case .found(let place): index = place
        case .absent(let slot):
            guard entries.count < limit else {
                lost += 1
                return nil
            }
            guard observation.beginsFlow else { return nil }
            index = entries.count
            entries.append(
                Entry(
                    key: observation.key, translatedTo: translatedTo(), isInbound: !observation.isFromClient, first: now
                ))
            slots[slot] = UInt16(entries.count)
            if 2 * entries.count > slots.count { spread() }
        }
        switch observation.event {
        case .none, .inboundAttempt: break
        case .attempt: entries[index].attempts += 1
        case .accepted: entries[index].accepted += 1
        case .refused: entries[index].refused += 1
        case .late: entries[index].late += 1
        }
        entries[index].last = now
        if observation.isEnd { entries[index].end = now }
        if observation.isFromClient {
            entries[index].sent += UInt64(observation.payload)
        } else {
            entries[index].received += UInt64(observation.payload)
            if entries[index].answer == nil { entries[index].answer = now }
        }
        return index
    }

    /// Whether the flow at this index awaits first octets of a connection. Most packets belong to another flow and cost no more than this
    /// check.
    @inline(always)
    func isAwaiting(_ index: Int) -> Bool { entries[index].awaited > 0 }

    /// Handles a SYN that the client sent, or a segment of a flow that awaits octets.
    mutating func look(at segment: Segment, of octets: Span<UInt8>, _ index: Int) {
        if segment.isSYN { begin(segment, index) }
        if isAwaiting(index), !segment.payload.isEmpty {
            read(octets.extracting(segment.payload), segment, index)
        }
    }

    /// The fields of a TCP segment that identify its position.
    struct Segment {
        var port: UInt16
        /// Number of the payload's first octet.
        var sequence: UInt32
        var isSYN: Bool
        /// Position in the packet.
        var payload: Range<Int>
    }

    private mutating func begin(_ segment: Segment, _ index: Int) {
        guard let (isNew, loser) = watch?.begin(index, port: segment.port, sequence: segment.sequence) else { return }
        if isNew { entries[index].awaited += 1 }
        if let loser { entries[loser].awaited -= 1 }
    }

    private mutating func read(_ octets: Span<UInt8>, _ segment: Segment, _ index: Int) {
        guard case .ended(let hello) = watch?.take(octets, index, port: segment.port, sequence: segment.sequence)
        else { return }
        entries[index].awaited -= 1
        guard let hello else { return }
        let isKept = sentHellos[index, default: SentHellos()].add(hello, hasRoom: helloCount < Self.helloLimit)
        if isKept { helloCount += 1 }
    }

    /// The ClientHellos of the flow at an index.
    func hellos(at index: Int) -> SentHellos? { sentHellos[index] }

    /// Notes an ICMP error about a packet that the client sent. It is ignored if the flow is unknown.
    mutating func record(_ cause: Flow.Unreachable, about key: Key) {
        guard case .found(let index) = look(for: key) else { return }
        entries[index].refused += 1
        entries[index].unreachable = cause
    }

    private enum Search {
        /// The entry's index.
        case found(Int)
        /// A free slot for it.
        case absent(slot: Int)
    }

    private func look(for key: Key) -> Search {
        var slot = Self.hash(key) & (slots.count - 1)
        // At least half of the slots are free.
        while slots[slot] != 0 {
            let place = Int(slots[slot]) - 1
            if entries[place].key == key { return .found(place) }
            slot = (slot + 1) & (slots.count - 1)
        }
        return .absent(slot: slot)
    }

    /// Doubles the number of slots.
    private mutating func spread() {
        slots = [UInt16](repeating: 0, count: 2 * slots.count)
        for (place, entry) in entries.enumerated() {
            guard case .absent(let slot) = look(for: entry.key) else { preconditionFailure("a flow stands twice") }
            slots[slot] = UInt16(place + 1)
        }
    }

    private static func hash(_ key: Key) -> Int {
        let bits = key.remote.bits
        let folded = UInt64(truncatingIfNeeded: bits ^ (bits >> 64))
        let mixed = (folded ^ UInt64(key.port) << 48 ^ UInt64(key.transport.number)) &* 0x9e37_79b9_7f4a_7c15
        return Int(truncatingIfNeeded: mixed >> 32)
    }
}

extension FlowLog.Key {
    private static let mapped: UInt128 = 0xffff

    init(remote: IPv4Address, port: UInt16, transport: Flow.Transport) {
        self.init(remote: IPv6Address(bits: Self.mapped << 32 | UInt128(remote.bits)), port: port, transport: transport)
    }

    var remoteAddress: IPAddress {
        remote.bits >> 32 == Self.mapped
            ? .ipv4(IPv4Address(bits: UInt32(truncatingIfNeeded: remote.bits))) : .ipv6(remote)
    }
}

extension Flow.Transport {
    fileprivate var number: UInt8 {
        switch self {
        case .tcp: 6
        case .udp: 17
        case .icmp: 1
        }
    }
}
