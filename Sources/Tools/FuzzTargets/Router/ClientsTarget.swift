// SPDX-License-Identifier: Apache-2.0
import Evidence
import NAT64
import Router
import TestPackets
import Topology
import Translation
import Wire

/// For any packets from the world and a link with many clients: each client has an account of its own packets, for addresses in the link's
/// prefixes alone, and the accounts' totals do not exceed the input.
func fuzzClients(_ input: [UInt8]) throws(BrokenInvariant) {
    var choices = Choices(input)
    let errors = ErrorPolicy(ipv6Source: Scene.router6, ipv4Source: Scene.router4)
    let prefixes = [IPv6Prefix(Scene.hosts[0], length: 112)!, IPv6Prefix("fd00:10:244::/56")!]
    var nat64 = NAT64Configuration(prefixes: [choices.prefix()], pool: Scene.pool, errors: errors)
    nat64.exemptIPv4 = Scene.exempt
    var configuration = RouterConfiguration(
        .stateful(nat64), errors: errors,
        forwarding: Forwarding(
            links: LinkPlan(), ipv6Router: Scene.router6, ipv4Router: Scene.router4,
            client: Forwarding.Client(ipv6: prefixes, pool: Scene.pool),
            reach: Reach(ipv4Hosts: Set(Scene.remotes), ipv6Hosts: [])))
    configuration.clientLimit = GatewayPlan.clientLimit
    let output = Kept()
    guard var router = try? Router(configuration, now: .zero, output: output) else {
        throw BrokenInvariant("a router is refused")
    }
    var now = Instant.zero
    var packet = PacketBuffer()
    var received: UInt64 = 0
    while !choices.isEmpty && received < 64 {
        now = now + .milliseconds(Int(choices.octet()))
        router.advance(to: now)
        let (link, next) = choices.packet(prefixes, nat64.prefixes[0], output.sent)
        packet.replace(with: next.octets.span)
        packet.offload = next.offload
        router.receive(&packet, from: link, at: now)
        received += 1
    }
    let clients = router.clients
    for client in clients {
        try require(prefixes.contains { $0.contains(client.address) }, "an account of \(client.address)")
        try require(client.flows.count <= Int(received), "more flows than packets")
    }
    try require(Set(clients.map(\.address)).count == clients.count, "two accounts of one address")
    try require(clients.reduce(0) { $0 + $1.sent.packets } <= received, "more was sent than came")
    try require(
        clients.reduce(0) { $0 + $1.received.packets } <= UInt64(output.toClients), "more was received than went")
}

private final class Kept: RouterOutput {
    private(set) var sent: [(link: Link, packet: FuzzedPacket)] = []
    private(set) var toClients = 0

    func send(_ packet: inout PacketBuffer, to link: Link) -> DropReason? {
        if link == .client { toClients += 1 }
        if sent.count < 64 { sent.append((link, FuzzedPacket(packet))) }
        return nil
    }

    func dropped(_ packet: borrowing PacketBuffer, from link: Link, because reason: DropReason) {}
}

extension Choices {
    fileprivate mutating func packet(
        _ prefixes: [IPv6Prefix], _ pref64: Pref64, _ sent: [(link: Link, packet: FuzzedPacket)]
    ) -> (Link, FuzzedPacket) {
        let link: Link = oneIn(3) ? .world : .client
        switch below(8) {
        case 0: return (link, rawPacket(isIPv6: oneIn(2)))
        case 1...3 where !sent.isEmpty:
            let earlier = pick(sent)
            var packet = oneIn(2) ? answer(to: earlier.packet) : error(about: earlier.packet, from: [9, 9, 9, 9])
            damage(&packet)
            return (earlier.link, packet)
        default:
            // One in sixteen has an address outside all prefixes.
            let prefix = pick(prefixes)
            let source =
                oneIn(16) ? IPv6Address("fd00:bad::1")! : IPv6Address(bits: prefix.address.bits | UInt128(octet()))
            var datagram = Datagram(
                source: source.array, destination: pref64.embed(pick(Scene.remotes)).array,
                upper: upperLayer(isIPv6: true, source: 4_000, destination: UInt16(octet())))
            decorate(&datagram)
            return (.client, self.packet(of: datagram))
        }
    }
}
