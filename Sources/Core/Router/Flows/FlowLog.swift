import Evidence
import Wire

/// The client's flows, as they crossed its link: one entry for each far address, transport and port.
///
/// Theory of operation. A list of entries in the order of their first packets, and a hash table with open addressing and a fixed number of
/// slots that says where in the list a flow is: most clients have a handful of flows, and room for all that there may be would be more
/// memory than the rest of a client's path takes. Both are touched by the packet path's thread only and read after that thread has ended.
/// Nothing is ever removed, and when the list has `limit` entries further flows are counted as lost: a client that scans ports cannot make
/// it grow beyond that, nor make a look-up long. An entry has nothing that is counted by reference: what only some flows have, their
/// ClientHellos, is beside the list.
struct FlowLog {
    /// What a packet has to say about its flow.
    struct Observation {
        var key: Key
        var isFromClient: Bool
        /// Octets of payload behind the transport header.
        var payload: Int
        var event = Event.none
        /// Whether either side closes the connection, or breaks it off.
        var isEnd = false

        enum Event {
            case none, attempt, accepted, refused
            /// The client has no socket any more for what came.
            case late
            /// The far end opens a connection.
            case inboundAttempt
        }

        /// Whether a packet of a flow that is not known begins one. A TCP connection begins with a SYN: anything else from the far end
        /// is what is left of a connection of an earlier client, which had the same address.
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
        /// Connections of which the first octets are awaited.
        var awaited = 0
    }

    static let slots = 4096
    static let limit = slots / 2
    /// ClientHellos that are kept, of all flows.
    static let helloLimit = 1024

    /// In the order of the flows' first packets.
    private(set) var entries: [Entry] = []
    /// The number of the flow's entry, counted from 1; 0: the slot is free.
    private var table = [UInt16](repeating: 0, count: slots)
    /// What times are counted from.
    let start: Instant
    /// Flows that found no place.
    private(set) var lost = 0
    private var watch = HelloWatch()
    /// By the flow's place.
    private var sentHellos: [Int: SentHellos] = [:]
    private var helloCount = 0

    init(since start: Instant = .zero) {
        self.start = start
    }

    /// - Parameter translatedTo: the IPv4 address behind the NAT64, which is asked for once a flow; `nil` if it is not translated.
    /// - Returns: the flow's place; `nil` if it has none.
    @discardableResult
    mutating func record(
        _ observation: Observation, at now: Instant = .zero, translatedTo: () -> IPv4Address? = { nil }
    ) -> Int? {
        guard let slot = slot(for: observation.key) else {
            lost += 1
            return nil
        }
        if table[slot] == 0 {
            guard observation.beginsFlow else { return nil }
            entries.append(
                Entry(
                    key: observation.key, translatedTo: translatedTo(), isInbound: !observation.isFromClient, first: now
                ))
            table[slot] = UInt16(entries.count)
        }
        let index = Int(table[slot]) - 1
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

    /// Whether first octets of a connection are awaited, of the flow at this place. Most packets are of another, and cost no more than this.
    @inline(always)
    func isAwaiting(_ index: Int) -> Bool { entries[index].awaited > 0 }

    /// A SYN that the client sent, or a segment of a flow that is awaiting.
    mutating func look(at segment: Segment, of octets: Span<UInt8>, _ index: Int) {
        if segment.isSYN { begin(segment, index) }
        if isAwaiting(index), !segment.payload.isEmpty {
            read(octets.extracting(segment.payload), segment, index)
        }
    }

    /// What of a TCP segment tells where it belongs.
    struct Segment {
        var port: UInt16
        /// Of the payload's first octet.
        var sequence: UInt32
        var isSYN: Bool
        /// Where it is in the packet.
        var payload: Range<Int>
    }

    private mutating func begin(_ segment: Segment, _ index: Int) {
        let (isNew, loser) = watch.begin(index, port: segment.port, sequence: segment.sequence)
        if isNew { entries[index].awaited += 1 }
        if let loser { entries[loser].awaited -= 1 }
    }

    private mutating func read(_ octets: Span<UInt8>, _ segment: Segment, _ index: Int) {
        guard case .ended(let hello) = watch.take(octets, index, port: segment.port, sequence: segment.sequence) else {
            return
        }
        entries[index].awaited -= 1
        guard let hello else { return }
        let isKept = sentHellos[index, default: SentHellos()].add(hello, hasRoom: helloCount < Self.helloLimit)
        if isKept { helloCount += 1 }
    }

    /// Of the flow at a place.
    func hellos(at index: Int) -> SentHellos? { sentHellos[index] }

    /// Notes an ICMP error about a packet that the client sent. Of a flow that is not known it says nothing.
    mutating func record(_ cause: Flow.Unreachable, about key: Key) {
        guard let slot = slot(for: key), table[slot] != 0 else { return }
        let index = Int(table[slot]) - 1
        entries[index].refused += 1
        entries[index].unreachable = cause
    }

    /// The flow's slot, or a free one for it; `nil` if there is no room.
    private func slot(for key: Key) -> Int? {
        var index = Self.hash(key) & (Self.slots - 1)
        while table[index] != 0 {
            if entries[Int(table[index]) - 1].key == key { return index }
            index = (index + 1) & (Self.slots - 1)
        }
        return entries.count < Self.limit ? index : nil
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
