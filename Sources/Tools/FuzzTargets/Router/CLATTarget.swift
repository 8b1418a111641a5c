// SPDX-License-Identifier: Apache-2.0
import Evidence
import NAT64
import Router
import TestPackets
import Topology
import Translation
import Wire

/// For any packets from the world and from a client behind a CLAT, each output packet of the router fits its link; IPv4 packets to the
/// client are addressed to it, and the world sees the pool's address alone.
func fuzzCLAT(_ input: [UInt8]) throws(BrokenInvariant) {
    var choices = Choices(input)
    guard let clat = ClientSlot.first.clat(on: .nat64CLAT) else { return }
    let mtu = choices.pick([1_500, 1_280, 1_400, 9_000])
    let worldMTU = choices.pick([1_500, 576, 1_480, 9_000])
    let errors = ErrorPolicy(ipv6Source: Scene.router6, ipv4Source: Scene.router4)
    var nat64 = NAT64Configuration(prefixes: [choices.prefix()], pool: [Scene.pool[0]], errors: errors)
    nat64.exemptIPv4 = Scene.exempt
    nat64.translation.ipv6MTU = mtu
    nat64.translation.ipv4MTU = worldMTU
    var configuration = RouterConfiguration(
        .stateful(nat64), errors: errors,
        forwarding: Forwarding(
            links: LinkPlan(clientMTU: mtu, worldMTU: worldMTU), ipv6Router: Scene.router6, ipv4Router: Scene.router4,
            client: Forwarding.Client(ipv6: Scene.hosts[0], ipv4: clat.client, pool: Scene.pool[0]),
            reach: Reach(ipv4Hosts: Set(Scene.remotes), ipv6Hosts: [])))
    configuration.clat = clat
    let output = Emitted(clat, mtu: mtu, worldMTU: worldMTU)
    guard var router = try? Router(configuration, now: .zero, output: output) else {
        throw BrokenInvariant("a router is refused")
    }
    var now = Instant.zero
    var packet = PacketBuffer()
    for _ in 0..<16 {
        now = now + .milliseconds(Int(choices.number16()))
        router.advance(to: now)
        let (link, sent) = choices.packet(clat, output.sent)
        packet.replace(with: sent.octets.span)
        packet.offload = sent.offload
        router.receive(&packet, from: link, at: now)
        if let broken = output.broken { throw broken }
        if choices.isEmpty { return }
    }
}

private final class Emitted: RouterOutput {
    private(set) var sent: [(link: Link, packet: FuzzedPacket)] = []
    private(set) var broken: BrokenInvariant?
    private let clat: CLATAddresses
    private let toClient: OutputCheck
    private let toWorld: OutputCheck

    init(_ clat: CLATAddresses, mtu: Int, worldMTU: Int) {
        self.clat = clat
        // On the client's link, both families have the same MTU.
        toClient = OutputCheck(TranslationOptions(ipv6MTU: mtu, ipv4MTU: mtu))
        toWorld = OutputCheck(TranslationOptions(ipv6MTU: mtu, ipv4MTU: worldMTU))
    }

    func send(_ packet: inout PacketBuffer, to link: Link) -> DropReason? {
        let packet = FuzzedPacket(packet)
        do throws(BrokenInvariant) { try look(at: packet, link) } catch { broken = error }
        if sent.count < 64 { sent.append((link, packet)) }
        return nil
    }

    private func look(at packet: FuzzedPacket, _ link: Link) throws(BrokenInvariant) {
        // The answer to a ping is as long as the ping, which the client's link has carried.
        if packet.verdict.source == clat.router.array, !packet.verdict.isICMPError { return }
        // The inputs' checksums may be wrong or partial; the translators' own target checks them.
        let verdict = try (link == .client ? toClient : toWorld).check(packet, isRight: false)
        let isIPv6 = verdict.source.count == 16
        switch link {
        case .client:
            try require(isIPv6 || verdict.destination == clat.client.array, "for another: \(packet.octets.prefix(60))")
        case .world:
            try require(!isIPv6, "IPv6 in the world")
            try require(
                verdict.source == Scene.pool[0].array || verdict.isICMPError,
                "not from the pool: \(packet.octets.prefix(60))")
        }
    }

    func dropped(_ packet: borrowing PacketBuffer, from link: Link, because reason: DropReason) {}
}

extension Choices {
    fileprivate mutating func packet(
        _ clat: CLATAddresses, _ sent: [(link: Link, packet: FuzzedPacket)]
    ) -> (Link, FuzzedPacket) {
        let link: Link = oneIn(2) ? .world : .client
        var packet: FuzzedPacket
        switch below(8) {
        case 0: return (link, rawPacket(isIPv6: link == .client && oneIn(4)))
        case 1...4 where !sent.isEmpty:
            let earlier = pick(sent)
            packet = oneIn(2) ? answer(to: earlier.packet) : error(about: earlier.packet, from: [9, 9, 9, 9])
            damage(&packet)
            return (earlier.link, packet)
        default:
            let (source, destination) =
                link == .client
                ? (clat.client.array, pick(Scene.remotes + [clat.router]).array)
                : (pick(Scene.remotes).array, Scene.pool[0].array)
            var datagram = Datagram(
                source: source, destination: destination,
                upper: upperLayer(isIPv6: false, source: 4_000, destination: 53))
            decorate(&datagram)
            packet = self.packet(of: datagram)
        }
        damage(&packet)
        return (link, packet)
    }
}
