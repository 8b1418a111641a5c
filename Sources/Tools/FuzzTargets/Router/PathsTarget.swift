// SPDX-License-Identifier: Apache-2.0
import NAT64
import Router
import TestPackets
import Topology
import Translation
import Wire

/// On the way to a host and back no packet exceeds its link's MTU, no packet becomes more than its fragments and an answer, and all of them
/// end.
func fuzzPaths(_ input: [UInt8]) throws(BrokenInvariant) {
    var choices = Choices(input)
    let path = choices.path()
    let narrowest = path.routers.compactMap(\.mtu).min() ?? .max
    let output = SizeOutput(limit: narrowest)
    var configuration = RouterConfiguration(
        .none, errors: ErrorPolicy(ipv6Source: Scene.router6, ipv4Source: Scene.router4),
        forwarding: Forwarding(
            links: LinkPlan(clientMTU: 1500), ipv6Router: Scene.router6, ipv4Router: Scene.router4,
            client: Forwarding.Client(ipv6: Scene.hosts[0], ipv4: Scene.pool[0]),
            reach: Reach(
                ipv4Hosts: [Scene.remotes[0], farRouter4], ipv6Hosts: [Scene.hosts[1], farRouter6])))
    configuration.paths = [path]
    guard var router = try? Router(configuration, now: .zero, output: output) else {
        throw BrokenInvariant("a router is refused")
    }
    var now = Instant.zero
    var packet = PacketBuffer()
    var octets = 0
    var received = 0
    while !choices.isEmpty && received < 32 {
        now = now + .milliseconds(Int(choices.octet()))
        let isUp = choices.oneIn(2)
        let next = choices.packetOnPath(isUp: isUp)
        packet.replace(with: next.span)
        octets += next.count
        received += 1
        router.receive(&packet, from: isUp ? .client : .world, at: now)
        if choices.oneIn(2) { router.advance(to: now) }
    }
    // Each fragment carries eight octets of its packet, and the link doubles it at most; each deadline is due only once.
    for _ in 0...octets {
        let next = router.nextDeadline
        if next == .distantFuture { break }
        now = max(now, next)
        router.advance(to: now)
    }
    try require(router.nextDeadline == .distantFuture, "packets wait for ever")
    try require(output.tooLarge == 0, "\(output.tooLarge) octets for a link of \(narrowest)")
    try require(output.sent <= received + octets / 4, "\(output.sent) of \(received) packets went")
}

private let farRouter4 = IPv4Address(198, 51, 100, 200)
private let farRouter6 = IPv6Address(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0x200)

private final class SizeOutput: RouterOutput {
    private(set) var sent = 0
    private(set) var tooLarge = 0
    /// Maximum size of a packet that has crossed the path, in octets.
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    func send(_ packet: inout PacketBuffer, to link: Link) -> DropReason? {
        sent += 1
        if link == .world, packet.count > limit(of: packet), isForHost(packet), !isAnswer(packet) {
            tooLarge = packet.count
        }
        return nil
    }

    /// Every link carries IPv6 packets of 1,280 octets (RFC 8200 §5).
    private func limit(of packet: borrowing PacketBuffer) -> Int {
        packet.family == .ipv6 ? max(limit, IPv6Header.minimumMTU) : limit
    }

    /// Packets to other destinations do not cross the path.
    private func isForHost(_ packet: borrowing PacketBuffer) -> Bool {
        packet.family == .ipv6
            ? packet.bytes.ipv6Address(at: IPv6Header.destination) == Scene.hosts[1]
            : packet.bytes.ipv4Address(at: IPv4Header.destination) == Scene.remotes[0]
    }

    /// Whether the packet is an answer of a router on the path, which no narrow link separates from the host.
    private func isAnswer(_ packet: borrowing PacketBuffer) -> Bool {
        packet.family == .ipv6
            ? packet.bytes.ipv6Address(at: IPv6Header.source) == farRouter6
            : packet.bytes.ipv4Address(at: IPv4Header.source) == farRouter4
    }

    func dropped(_ packet: borrowing PacketBuffer, from link: Link, because reason: DropReason) {}
}

extension Choices {
    fileprivate mutating func path() -> HostPath {
        var path = HostPath(to: "far.test", [.ipv4(Scene.remotes[0]), .ipv6(Scene.hosts[1])])
        for _ in 0..<below(4) {
            path.routers.append(
                HostPath.Router(
                    ipv4: oneIn(2) ? farRouter4 : nil, ipv6: oneIn(2) ? farRouter6 : nil,
                    mtu: oneIn(2) ? min(Int(number16()) + HostPath.mtus.lowerBound, 2000) : nil))
        }
        let links = ["delay=1ms", "duplicate=50%", "rate=1mbit", "flap=10ms", "reorder=50%,delay=5ms", "loss=0%"]
        path.link = (try? ConditionPlan.ofHost(pick(links).split(separator: ",").map(String.init))) ?? Conditions()
        return path
    }

    /// A packet between the client and the host, or one of the routers.
    fileprivate mutating func packetOnPath(isUp: Bool) -> [UInt8] {
        if oneIn(8) { return rawPacket(isIPv6: oneIn(2)).octets }
        let isIPv6 = oneIn(2)
        let client = isIPv6 ? Scene.hosts[0].array : Scene.pool[0].array
        let host = isIPv6 ? Scene.hosts[1].array : Scene.remotes[0].array
        let router = isIPv6 ? farRouter6.array : farRouter4.array
        let far = isUp && oneIn(8) ? router : host
        var datagram = Datagram(
            source: isUp ? client : far, destination: isUp ? far : client,
            upper: upperLayer(isIPv6: isIPv6, source: 4_000, destination: 53))
        decorate(&datagram)
        return packet(of: datagram).octets
    }
}
