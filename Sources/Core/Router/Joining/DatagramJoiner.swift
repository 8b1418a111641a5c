// SPDX-License-Identifier: Apache-2.0
import Translation
import Wire

/// Joins the datagrams of a flow that leave one after the other by one link into super-packets: the kernel takes and passes on a
/// super-packet in the time of a datagram.
///
/// Theory of operation. What leaves by the link goes through `take`. A datagram that is joinable waits as the beginning of a train, or joins
/// the train of its flow, until that is complete, a datagram of its flow comes that does not fit, or `flush`. One whose flow finds no place
/// leaves at once: were it to take another's, none of many flows in turns would join. Whoever feeds the router flushes whenever it has no
/// more packets at hand, so nothing waits for what has not come yet. What is not joinable leaves at once, behind all that waits, but for
/// TCP: its flow cannot be any that waits. So the datagrams of a flow keep their order, among themselves and with its fragments.
struct DatagramJoiner: ~Copyable {
    /// Flows that have their trains at a time.
    static let flows = 16

    private var trains = InlineArray<16, DatagramTrain> { _ in DatagramTrain() }
    private var waiting = 0

    init() {}

    /// - Parameters:
    ///   - numbering: who has made the identification, where it is IPv4 that was translated.
    ///   - send: takes what leaves now, and how many datagrams it stands for; the packet's buffer is valid during the call only.
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

    /// Lets all go that waits.
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
    /// TCP right behind the IP header; a fragment has the ports of its flow nowhere, and is not looked at.
    fileprivate var isTCP: Bool {
        switch family {
        case .ipv6: count > IPv6Header.length && bytes[IPv6Header.nextHeader] == IPProtocol.tcp.rawValue
        case .ipv4: count > IPv4Header.length && bytes[IPv4Header.protocolNumber] == IPProtocol.tcp.rawValue
        case nil: false
        }
    }
}
