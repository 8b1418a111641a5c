// SPDX-License-Identifier: Apache-2.0
import Evidence
import NAT64
import Router
import Topology
import Translation
import Wire

/// For any frames on an Ethernet link: the detector of devices answers only a device that asks for IPv4 and can do without, with a well-formed
/// datagram; a device's router claims only its own addresses, and sends no advertisement that a neighbour must discard.
func fuzzNeighbours(_ input: [UInt8]) throws(BrokenInvariant) {
    var choices = Choices(input)
    if choices.oneIn(3) { return try fuzzDetector(&choices) }
    let place = ClientSlot(Int(choices.octet()) % ClientSlot.limit)
    let output = Said()
    guard var router = try? Router(configuration(place, .nat64), now: .zero, output: output) else {
        throw BrokenInvariant("a router is refused")
    }
    var now = Instant.zero
    var packet = PacketBuffer()
    for _ in 0..<64 where !choices.isEmpty {
        now = now + .milliseconds(Int(choices.number16()))
        router.advance(to: now)
        if choices.oneIn(8) {
            try? router.move(to: configuration(place, choices.pick([.nat64, .strict, nil])), now: now)
        }
        packet.replace(with: choices.fromDevice(place).span)
        router.receive(&packet, from: .client, at: now)
    }
    if let broken = output.broken { throw BrokenInvariant(broken) }
    try require(router.clients.count <= DevicePlan.addressLimit, "\(router.clients.count) accounts")
    let prefixes = place.devicePrefixes
    try require(router.clients.allSatisfy { prefixes.contains($0.address) }, "an account of nobody's address")
}

private func fuzzDetector(_ choices: inout Choices) throws(BrokenInvariant) {
    let own = EthernetAddress("02:00:5e:10:00:01")!
    let detector = DeviceDetector(own: own, ipv6OnlyTime: choices.oneIn(8) ? nil : 1800)
    guard case .askedForIPv4(let sender, let answer) = detector.read(choices.frame().span) else { return }
    try require(sender != own && !sender.isGroup, "\(sender) is answered")
    try require(EthernetAddress(answer) == sender && answer.count > 14 + 28 + 240, "an answer to somebody else")
    let packet = Array(answer.dropFirst(14))
    guard let layout = try? IPv4Layout(packet.span) else { throw BrokenInvariant("an answer that is no packet") }
    try require(layout.end == packet.count, "an answer of another length")
    try require(packet[28 + 16..<28 + 20].allSatisfy { $0 == 0 }, "an address is given")
}

/// - Parameter network: `nil` if the device has none.
private func configuration(_ place: ClientSlot, _ network: Network?) -> RouterConfiguration {
    let errors = ErrorPolicy(ipv6Source: Scene.router6, ipv4Source: Scene.router4)
    let nat64 = NAT64Configuration(prefixes: [.wellKnown], pool: Scene.pool, errors: errors)
    let prefix = network.flatMap(place.devicePrefix)
    var configuration = RouterConfiguration(
        network == .nat64 ? .stateful(nat64) : .none, errors: errors,
        forwarding: Forwarding(
            links: LinkPlan(), ipv6Router: Scene.router6, ipv4Router: Scene.router4,
            client: prefix.map { Forwarding.Client(ipv6: [$0], pool: Scene.pool) } ?? .withoutAddress,
            reach: Reach(ipv4Hosts: Set(Scene.remotes), ipv6Hosts: [])))
    configuration.clientLimit = DevicePlan.addressLimit
    configuration.advertisedLink = prefix.map {
        AdvertisedLink(
            router: NetworkPlan.linkLocalRouter, prefix: $0, resolvers: [Scene.router6], mtu: 1500,
            Advertisement(), isUnsolicited: true, ethernet: EthernetAddress("02:00:5e:10:00:01")!)
    }
    return configuration
}

/// Validates the output to neighbours (RFC 4861 §6.1.2, §7.1.2).
private final class Said: RouterOutput {
    private(set) var broken: String?

    func send(_ packet: inout PacketBuffer, to link: Link) -> DropReason? {
        guard link == .client, let layout = try? IPv6Layout(packet.bytes), layout.transport.kind == .icmpOther else {
            return nil
        }
        let (bytes, start) = (packet.bytes, layout.transport.offset)
        guard [ICMPv6Type.neighbourAdvertisement, ICMPv6Type.routerAdvertisement].contains(bytes[start]) else {
            return nil
        }
        var sum = InternetChecksum(
            pseudoHeaderFrom: layout.source, to: layout.destination, of: .icmpv6, length: layout.transport.count)
        sum.add(bytes, in: start..<layout.end)
        if sum.checksum != 0 || bytes[IPv6Header.hopLimit] != 255 { broken = "what a neighbour discards" }
        guard bytes[start] == ICMPv6Type.neighbourAdvertisement else { return nil }
        let target = bytes.ipv6Address(at: start + 8)
        if ![NetworkPlan.linkLocalRouter, Scene.router6].contains(target) || layout.source != target {
            broken = "it says that \(target) is its own"
        }
        if layout.destination.isMulticast, bytes[start + 4] & 0x40 != 0 { broken = "solicited, to all" }
        return nil
    }

    func dropped(_ packet: borrowing PacketBuffer, from link: Link, because reason: DropReason) {}
}

extension Choices {
    /// A solicitation with at most one mistake, a packet from one of the device's addresses, or any packet.
    fileprivate mutating func fromDevice(_ place: ClientSlot) -> [UInt8] {
        if oneIn(4) { return rawPacket(isIPv6: true).octets }
        let target = pick([NetworkPlan.linkLocalRouter, Scene.router6, IPv6Address(bits: UInt128(octet()))])
        let own = IPv6Address(bits: place.devicePrefixes.address.bits | UInt128(octet()) << 60 | UInt128(octet()))
        let source = pick([IPv6Address(0xfe80, 0, 0, 0, 0, 0, 0, 0x100), .unspecified, own])
        let group = IPv6Address(bits: IPv6Address(0xff02, 0, 0, 0, 0, 1, 0xff00, 0).bits | target.bits & 0xff_ffff)
        let destination = pick([group, target, IPv6Address(0xff02, 0, 0, 0, 0, 0, 0, 2)])
        var message = [oneIn(8) ? octet() : pick([133, 135, 128]), oneIn(8) ? octet() : 0, 0, 0, 0, 0, 0, 0]
        for shift in 0..<16 { message.append(UInt8(truncatingIfNeeded: target.bits >> UInt128(8 * (15 - shift)))) }
        message += oneIn(2) ? [1, 1, 2, 0, 0, 0, 0, 2] : octets(below(24))
        return advertised(message, from: source, to: destination)
    }

    /// A DHCPv4 message, or a part of one, or any frame.
    fileprivate mutating func frame() -> [UInt8] {
        if oneIn(3) { return octets(Int(octet())) }
        var message: [UInt8] =
            [1, 1, 6, 0] + octets(20) + [UInt8](repeating: 0, count: 212) + [0x63, 0x82, 0x53, 0x63]
        message += [53, 1, 1] + (oneIn(2) ? [116, 1, 1] : octets(below(16))) + [55, 2, 1, 108, 255]
        var frame = [UInt8](repeating: 255, count: 6) + octets(6) + [8, 0, 0x45, 0]
        let length = 28 + message.count
        frame += [UInt8(length >> 8), UInt8(length & 0xff), 0, 0, 0, 0, 64, 17, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255]
        frame += [0, 68, 0, 67, UInt8((length - 20) >> 8), UInt8((length - 20) & 0xff), 0, 0] + message
        if oneIn(2) { frame = Array(frame.prefix(Int(number16()) % frame.count)) }
        return frame
    }
}
