// SPDX-License-Identifier: Apache-2.0
package import Evidence
package import Wire

/// Keeps the first octets that a client sends and receives, to find the origin of its addresses.
///
/// Each packet of the client is recorded once. Octets that do not fit are counted, and those that are kept are never dropped, as the first
/// occurrence of an address counts. Fragments are left out; few protocols that carry addresses send any.
package struct PayloadLog: Sendable {
    /// Maximum octets of each direction of a conversation and of all together; maximum number of conversations.
    package struct Limits: Sendable {
        package var received = 16 << 10
        package var sent = 2 << 10
        package var total = 4 << 20
        package var conversations = 400

        package init() {}
    }

    private struct Key: Hashable {
        var transport: Flow.Transport
        var remote: IPAddress
        var port: UInt16
        var localPort: UInt16
    }

    private struct Entry {
        var key: Key
        var received = StreamPrefix()
        var sent = StreamPrefix()
    }

    private let clients: [IPAddress]
    private let resolvers: [IPAddress]
    private let limits: Limits
    private var entries: [Entry] = []
    private var places: [Key: Int] = [:]
    private var total = 0
    private var omitted: UInt64 = 0

    /// - Parameters:
    ///   - clients: the client's own addresses.
    ///   - resolvers: their traffic at port 53 is left out, as it is in the DNS server's log.
    package init(of clients: [IPAddress], resolvers: [IPAddress] = [], limits: Limits = Limits()) {
        self.clients = clients
        self.resolvers = resolvers
        self.limits = limits
    }

    /// - Parameter time: time since the client was connected.
    package mutating func record(_ packet: Span<UInt8>, at time: Duration) {
        if let layout = try? IPv6Layout(packet) {
            guard layout.fragment.isWhole else { return }
            record(packet, layout.transport, .ipv6(layout.source), .ipv6(layout.destination), at: time)
        } else if let layout = try? IPv4Layout(packet) {
            guard layout.fragment.isWhole else { return }
            record(packet, layout.transport, .ipv4(layout.source), .ipv4(layout.destination), at: time)
        }
    }

    private mutating func record(
        _ packet: Span<UInt8>, _ layout: TransportLayout, _ source: IPAddress, _ destination: IPAddress,
        at time: Duration
    ) {
        let isSent = clients.contains(source)
        guard isSent || clients.contains(destination) else { return }
        let remote = isSent ? destination : source
        let (port, localPort) =
            isSent ? (layout.destinationPort, layout.sourcePort) : (layout.sourcePort, layout.destinationPort)
        if port == 53, resolvers.contains(remote) { return }
        switch layout.kind {
        case .tcp:
            let header = Int(packet[layout.offset + TCPHeader.dataOffset] >> 4) * 4
            guard layout.offset + header <= layout.end, layout.end <= packet.count else { return }
            let key = Key(transport: .tcp, remote: remote, port: port, localPort: localPort)
            let sequence = packet.uint32(at: layout.offset + TCPHeader.sequenceNumber)
            let isSYN = TCPHeader.Flags(rawValue: packet[layout.offset + TCPHeader.flags]).contains(.syn)
            if isSYN { begin(key, at: sequence, isSent: isSent) }
            add(
                packet.extracting(layout.offset + header..<layout.end), of: key, isSent: isSent,
                sequence: isSYN ? sequence &+ 1 : sequence, at: time)
        case .udp:
            let start = layout.offset + UDPHeader.length
            guard start <= layout.end, layout.end <= packet.count else { return }
            let key = Key(transport: .udp, remote: remote, port: port, localPort: localPort)
            add(packet.extracting(start..<layout.end), of: key, isSent: isSent, sequence: nil, at: time)
        case .icmpEcho, .icmpError, .icmpOther, .opaque, .laterFragment:
            return
        }
    }

    /// Notes a connection's first sequence number. The same ports may have had another connection before.
    private mutating func begin(_ key: Key, at sequence: UInt32, isSent: Bool) {
        if let place = places[key] {
            let prefix = isSent ? entries[place].sent : entries[place].received
            if prefix.isOfAnother(sequence), isSent || prefix.isEmpty == false { places[key] = nil }
        }
        guard let place = place(of: key) else { return }
        if isSent {
            entries[place].sent.begin(at: sequence)
        } else {
            entries[place].received.begin(at: sequence)
        }
    }

    private mutating func add(
        _ octets: Span<UInt8>, of key: Key, isSent: Bool, sequence: UInt32?, at time: Duration
    ) {
        if octets.isEmpty { return }
        guard let place = place(of: key) else {
            omitted += UInt64(octets.count)
            return
        }
        let kept: Int
        if isSent {
            let room = min(limits.sent, entries[place].sent.stream.octets.count + limits.total - total)
            kept = entries[place].sent.add(octets, sequence: sequence, at: time, room: room)
        } else {
            let room = min(limits.received, entries[place].received.stream.octets.count + limits.total - total)
            kept = entries[place].received.add(octets, sequence: sequence, at: time, room: room)
        }
        total += kept
        omitted += UInt64(max(0, octets.count - kept))
    }

    private mutating func place(of key: Key) -> Int? {
        if let place = places[key] { return place }
        guard entries.count < limits.conversations else { return nil }
        places[key] = entries.count
        entries.append(Entry(key: key))
        return entries.count - 1
    }

    /// The conversations that were kept, without those that have no payload.
    package var payloads: PayloadRecord {
        var record = PayloadRecord()
        record.clients = clients
        record.omitted = omitted
        record.conversations = entries.compactMap { entry in
            let (sent, received) = (entry.sent.stream, entry.received.stream)
            if sent.octets.isEmpty && received.octets.isEmpty { return nil }
            var conversation = Conversation(
                transport: entry.key.transport, remote: entry.key.remote, port: entry.key.port,
                localPort: entry.key.localPort)
            (conversation.sent, conversation.received) = (sent, received)
            return conversation
        }
        return record
    }
}

extension StreamPrefix {
    /// - Parameter sequence: `nil` for a datagram.
    fileprivate mutating func add(_ octets: Span<UInt8>, sequence: UInt32?, at time: Duration, room: Int) -> Int {
        if let sequence { return add(octets, sequence: sequence, at: time, room: room) }
        return add(datagram: octets, at: time, room: room)
    }
}
