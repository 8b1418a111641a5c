// SPDX-License-Identifier: Apache-2.0
import Translation
import Wire

/// Joins datagrams of a flow that leave in succession by one link into super-packets: the kernel receives and forwards a super-packet in
/// the time of a datagram.
///
/// Theory of operation. All packets that leave by the link pass `take`. A joinable datagram waits as the beginning of a train, or joins the
/// train of its flow, until the train is complete, a datagram of its flow comes that does not fit, or `flush` is called. A datagram whose
/// flow finds no free train leaves at once: if it took another flow's, many flows that take turns would never join. The router's caller
/// flushes whenever it has no more packets at hand, so no packet waits for one that has not come yet. Other packets leave at once, after
/// all that wait, except TCP: its flow is not one that waits. So a flow's datagrams keep their order, among themselves and with its
/// fragments.
struct DatagramJoiner: ~Copyable {
    /// Maximum number of flows with a train at a time.
    static let flows = 16

    private var trains = InlineArray<16, DatagramTrain> { _ in DatagramTrain() }
    private var waiting = 0

    init() {}

    /// - Parameters:
    ///   - numbering: the source of the identification, if the packet is translated IPv4.
    ///   - send: takes a packet that leaves now, and how many datagrams it consists of; the packet's buffer is valid during the call only.
    mutating func take(
        _ packet: inout PacketBuffer, numberedBy numbering: IdentificationGenerator? = nil,
        _ send: (inout PacketBuffer, _ datagrams: Int) -> Void
    ) {
        guard let datagram = JoinableDatagram(packet) else {
            if !packet.isTCP { flush(send) }
            return send(&packet, 1)
        }
        guard let index = train(of: datagram.flow) ?? freePlace else { return send(&packet, 1) }
        if trains[index].append(datagram, packet, numberedBy: numbering) {
            if trains[index].isComplete { leave(index, send) }
            return
        }
        if !trains[index].isEmpty { leave(index, send) }
        trains[index].begin(with: datagram, &packet, numberedBy: numbering)
        waiting += 1
    }

    /// Sends all packets that wait.
    mutating func flush(_ send: (inout PacketBuffer, _ datagrams: Int) -> Void) {
        if waiting == 0 { return }
        for index in 0..<Self.flows where !trains[index].isEmpty { leave(index, send) }
    }

    private func train(of flow: JoinableDatagram.Flow) -> Int? {
        if waiting == 0 { return nil }
        for index in 0..<Self.flows where trains[index].carries(flow) { return index }
        return nil
    }

    private var freePlace: Int? {
        if waiting == Self.flows { return nil }
        for index in 0..<Self.flows where trains[index].isEmpty { return index }
        return nil
    }

    private mutating func leave(_ index: Int, _ send: (inout PacketBuffer, _ datagrams: Int) -> Void) {
        trains[index].leave(send)
        waiting -= 1
    }
}

extension PacketBuffer {
    /// Whether TCP follows the IP header directly. A fragment may have no ports, and is not examined.
    fileprivate var isTCP: Bool {
        switch family {
        case .ipv6: count > IPv6Header.length && bytes[IPv6Header.nextHeader] == IPProtocol.tcp.rawValue
        case .ipv4: count > IPv4Header.length && bytes[IPv4Header.protocolNumber] == IPProtocol.tcp.rawValue
        case nil: false
        }
    }
}
