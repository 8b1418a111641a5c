// SPDX-License-Identifier: Apache-2.0
import NAT64
import Router
import Topology
import Translation
import Wire

/// Any text is a link's set-up or is refused in one line. For any packets from the link, an advertising router sends only well-formed
/// advertisements, and to all hosts no more often than RFC 4861 §6.2.6 permits.
func fuzzAdvertisement(_ input: [UInt8]) throws(BrokenInvariant) {
    var choices = Choices(input)
    let text = choices.linkSetup()
    let setup: LinkSetup
    do throws(LinkSetup.Mistake) {
        setup = try LinkSetup(text)
    } catch {
        return try require(error.description.utf8.count < 2_000, "a refusal of \(error.description.utf8.count) octets")
    }
    let written = try? LinkSetup("\(setup)")
    try require(written == setup, "\(text) is written \(setup), which is read as something else")
    guard let advertisement = setup.advertisement else { return }

    let mtu = 1280 + Int(choices.octet())
    let output = Advertised(mtu: mtu)
    let errors = ErrorPolicy(ipv6Source: Scene.router6, ipv4Source: Scene.router4)
    var nat64 = NAT64Configuration(prefixes: [.wellKnown], pool: Scene.pool, errors: errors)
    var configuration = RouterConfiguration(.stateful(nat64), errors: errors)
    configuration.advertisedLink = AdvertisedLink(
        router: NetworkPlan.linkLocalRouter, prefix: NetworkPlan.clientLink, resolvers: [Scene.router6], mtu: mtu,
        advertisement, isUnsolicited: choices.oneIn(2))
    guard var router = try? Router(configuration, now: .zero, output: output) else {
        throw BrokenInvariant("a router is refused for \(text)")
    }
    guard let other = try? Pref64("2001:db8:64::/96") else { return }
    var packet = PacketBuffer()
    var count = 0
    while !choices.isEmpty && count < 64 {
        output.now = output.now + .milliseconds(Int(choices.number16()))
        router.advance(to: output.now)
        if choices.oneIn(8) {
            nat64.prefixes = [choices.oneIn(2) ? Pref64.wellKnown : other]
            try? router.change(to: nat64, seed: 1, now: output.now)
        }
        packet.replace(with: choices.fromLink().span)
        router.receive(&packet, from: .client, at: output.now)
        count += 1
    }
    for _ in 0..<8 where router.nextDeadline < .distantFuture {
        output.now = max(output.now, router.nextDeadline)
        router.advance(to: output.now)
    }
    if let broken = output.broken { throw BrokenInvariant("\(broken), for \(text)") }
}

/// Validates each advertisement like its receiver (RFC 4861 §6.1.2).
private final class Advertised: RouterOutput {
    let mtu: Int
    var now = Instant.zero
    private(set) var broken: String?
    private var last: Instant?

    init(mtu: Int) { self.mtu = mtu }

    func send(_ packet: inout PacketBuffer, to link: Link) -> DropReason? {
        guard link == .client, let layout = try? IPv6Layout(packet.bytes), layout.transport.kind == .icmpOther,
            packet.bytes[layout.transport.offset] == ICMPv6Type.routerAdvertisement
        else { return nil }
        if let problem = problem(packet.bytes, layout) { broken = problem }
        if layout.destination.isMulticast {
            if let last, now - last < .seconds(3), now > last { broken = "two within \(now - last)" }
            last = now
        }
        return nil
    }

    private func problem(_ bytes: Span<UInt8>, _ layout: IPv6Layout) -> String? {
        if bytes.count > mtu { return "\(bytes.count) octets for an MTU of \(mtu)" }
        if bytes[IPv6Header.hopLimit] != 255 || !layout.source.isLinkLocal { return "not from a neighbour" }
        var sum = InternetChecksum(
            pseudoHeaderFrom: layout.source, to: layout.destination, of: .icmpv6, length: layout.transport.count)
        sum.add(bytes, in: layout.transport.offset..<layout.end)
        if sum.checksum != 0 { return "a wrong checksum" }
        var offset = layout.transport.offset + 16
        while offset < layout.end {
            if offset + 2 > layout.end || bytes[offset + 1] == 0 { return "an option without a length" }
            offset += Int(bytes[offset + 1]) * 8
        }
        return offset == layout.end ? nil : "an option beyond the end"
    }

    func dropped(_ packet: borrowing PacketBuffer, from link: Link, because reason: DropReason) {}
}

extension Choices {
    /// Valid items, or any text.
    fileprivate mutating func linkSetup() -> String {
        if oneIn(4) { return String(decoding: octets(Int(octet())), as: UTF8.self) }
        let items = [
            "managed", "other", "no-pref64", "no-rdnss", "lifetime=0", "lifetime=20m", "pref64=0", "pref64=65528",
            "search=corp.test", "search=a.b.c", "search=", "x",
        ]
        return (["ra"] + (0..<below(5)).map { _ in pick(items) }).joined(separator: ",")
    }

    /// A solicitation with at most one mistake, or any packet.
    fileprivate mutating func fromLink() -> [UInt8] {
        if oneIn(3) { return rawPacket(isIPv6: true).octets }
        let options = octets(below(24))
        let source = pick([IPv6Address(0xfe80, 0, 0, 0, 0, 0, 0, 0x100), .unspecified])
        let destination = pick([IPv6Address(0xff02, 0, 0, 0, 0, 0, 0, 2), NetworkPlan.linkLocalRouter])
        let message = [oneIn(8) ? octet() : 133, oneIn(8) ? octet() : 0, 0, 0, 0, 0, 0, 0] + options
        return advertised(message, from: source, to: destination)
    }

    /// An ICMPv6 message from the link, or from beyond it.
    mutating func advertised(_ message: [UInt8], from source: IPv6Address, to destination: IPv6Address) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: IPv6Header.length) + message
        var header = IPv6Header.Fields(
            payloadLength: UInt16(message.count), nextHeader: .icmpv6, source: source, destination: destination)
        header.hopLimit = oneIn(8) ? octet() : 255
        var sum = InternetChecksum(pseudoHeaderFrom: source, to: destination, of: .icmpv6, length: message.count)
        sum.add(message.span, in: 0..<message.count)
        var span = bytes.mutableSpan
        header.write(to: &span)
        span.setUInt16(sum.checksum, at: IPv6Header.length + ICMPHeader.checksum)
        return bytes
    }
}
