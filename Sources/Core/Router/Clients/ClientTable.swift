// SPDX-License-Identifier: Apache-2.0
import Evidence
import Topology
import Translation
import Wire

/// Clients, or addresses of one client, each known from the first packet that it sends: its traffic in both directions, flows and drops.
struct ClientTable {
    struct Seen: ClientRecord {
        var sent = LinkTraffic.Direction()
        var received = LinkTraffic.Direction()
        var flows: FlowLog
        /// `nil` if there were none.
        var drops: DropLog?

        var size: Int { flows.entries.count }
    }

    typealias Records = ClientRecords<IPv6Address, Seen>

    private(set) var records: Records

    init(limit: Int) {
        records = Records(limit: limit, room: Records.Room(each: 8, one: 1024, all: max(4096, 10 * limit)))
    }

    /// Notes a packet from a client, or to it.
    /// - Parameters:
    ///   - isOfFlow: whether it belongs to a flow that is to be noted.
    ///   - ipv4Destination: the IPv4 address behind an IPv6 one, if the network translates it.
    mutating func note(
        _ packet: borrowing PacketBuffer, _ outline: IPv6Outline, isFromClient: Bool, isOfFlow: Bool, at now: Instant,
        ipv4Destination: (IPv6Address) -> IPv4Address?
    ) {
        let place = records.place(
            of: isFromClient ? outline.source : outline.destination, at: now, isDoing: isFromClient
        ) {
            // The host's own kernel reports its listeners on the link (RFC 3810 §5.2.13).
            isFromClient && !outline.source.isIllegalSource
                ? Seen(flows: FlowLog(ofOneOfManySince: now)) : nil
        }
        guard let place else { return }
        if isFromClient { records[place].sent.count(packet) } else { records[place].received.count(packet) }
        guard isOfFlow else { return }
        let limit = records.limitOfOne
        records[place].flows.record(
            packet.bytes, outline, isFromClient: isFromClient, at: now, limit: limit, ipv4Destination: ipv4Destination)
    }

    /// Notes that a packet from a client, or to it, was dropped. A client that has sent nothing else has no record.
    mutating func noteDrop(_ packet: borrowing PacketBuffer, because reason: DropReason, isFromClient: Bool) {
        guard packet.family == .ipv6, packet.count >= IPv6Header.length else { return }
        let address = packet.bytes.ipv6Address(at: isFromClient ? IPv6Header.source : IPv6Header.destination)
        guard let place = records.place(of: address) else { return }
        if records[place].drops == nil { records[place].drops = DropLog() }
        records[place].drops?.record(reason, packet)
    }
}
