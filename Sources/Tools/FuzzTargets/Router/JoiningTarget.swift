// SPDX-License-Identifier: Apache-2.0
import NAT64
import Router
import TestPackets
import Topology
import Translation
import Wire

/// A router that joins datagrams sends the same packets as one that does not, as seen by a receiver without offloads; a kernel accepts its
/// super-packets.
func fuzzJoining(_ input: [UInt8]) throws(BrokenInvariant) {
    var choices = Choices(input)
    var configuration = RouterConfiguration(
        .none, errors: ErrorPolicy(ipv6Source: Scene.router6, ipv4Source: Scene.router4),
        forwarding: Forwarding(
            links: LinkPlan(clientMTU: 1500), ipv6Router: Scene.router6, ipv4Router: Scene.router4,
            client: Forwarding.Client(ipv6: Scene.hosts[0], ipv4: Scene.pool[0]),
            reach: Reach(ipv4Hosts: [Scene.remotes[0]], ipv6Hosts: [Scene.hosts[1]])))
    let (single, joined) = (ReceivedOutput(), ReceivedOutput())
    let plain = try? Router(configuration, now: .zero, output: single)
    configuration.joinsDatagrams = true
    let joining = try? Router(configuration, now: .zero, output: joined)
    guard var plain, var joining else { throw BrokenInvariant("a router is refused") }

    var (one, other) = (choices.forwarded(), choices.forwarded())
    var left = PacketBuffer()
    var right = PacketBuffer()
    var packets = 0
    while !choices.isEmpty && packets < 256 {
        packets += 1
        // The next datagram of the flow, another flow's, or an unexpected one.
        switch choices.below(8) {
        case 0: one = choices.forwarded()
        case 1: swap(&one, &other)
        case 2: choices.damage(&one)
        case 3: joining.flush()
        default: one.countOn()
        }
        left.replace(with: one.octets.span)
        left.offload = one.offload
        right.replace(with: one.octets.span)
        right.offload = one.offload
        plain.receive(&left, from: .client, at: .zero)
        joining.receive(&right, from: .client, at: .zero)
    }
    joining.flush()
    for link in [Link.client, .world] {
        if let difference = difference(ofReceived: joined.received[link] ?? [], from: single.received[link] ?? []) {
            throw BrokenInvariant("to the \(link): \(difference)")
        }
    }
    try require(joined.drops == single.drops, "drops: \(joined.drops), not \(single.drops)")
    try require(joining.traffic == plain.traffic, "traffic: \(joining.traffic), not \(plain.traffic)")
    try require(joined.longest <= PacketBuffer.largestPacket, "a packet of \(joined.longest) octets")
}

/// Keeps packets in the form in which they are received.
private final class ReceivedOutput: RouterOutput {
    private(set) var received: [Link: [[UInt8]]] = [:]
    private(set) var drops: [DropReason] = []
    private(set) var longest = 0

    func send(_ packet: inout PacketBuffer, to link: Link) -> DropReason? {
        longest = max(longest, packet.count)
        received[link, default: []] += onTheWire(packet.octets, packet.offload)
        // A receiver may overwrite the buffer.
        var bytes = packet.mutableBytes
        for index in bytes.indices { bytes[index] = 0xa5 }
        return nil
    }

    func dropped(_ packet: borrowing PacketBuffer, from link: Link, because reason: DropReason) { drops.append(reason) }
}

extension Choices {
    /// Mostly a datagram of one of few flows, from the client to a host within reach.
    fileprivate mutating func forwarded() -> FuzzedPacket {
        let isIPv6 = oneIn(2)
        let upper =
            oneIn(4)
            ? upperLayer(isIPv6: isIPv6, source: 4000, destination: 9)
            : .udp(4000 + UInt16(below(3)), 9, [UInt8](repeating: octet(), count: pick([64, 1, 63, 1_400, 0])))
        var datagram = Datagram(
            source: isIPv6 ? Scene.hosts[0].array : Scene.pool[0].array,
            destination: isIPv6 ? Scene.hosts[1].array : Scene.remotes[0].array, upper: upper)
        if oneIn(4) { decorate(&datagram) }
        var packet = packet(of: datagram)
        if !oneIn(4) { packet.offload(segmentSize: 0) }
        return packet
    }
}

extension FuzzedPacket {
    /// Becomes the sender's next packet: the identification of IPv4 is incremented.
    fileprivate mutating func countOn() {
        guard octets.count >= 20, octets[0] >> 4 == 4 else { return }
        octets[5] &+= 1
        heal(lengths: false, transport: false)
    }
}
