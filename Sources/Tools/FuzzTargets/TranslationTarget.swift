// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Translation
import Wire

/// Each output of the stateless translator is a packet with the right lengths and checksums, and fits its link.
func fuzzTranslation(_ input: [UInt8]) throws(BrokenInvariant) {
    var choices = Choices(input)
    let options = choices.translationOptions()
    let prefix = choices.prefix()
    var translator = StatelessTranslator(choices.statelessAddresses(prefix), options: options, seed: 1)
    let check = OutputCheck(options)
    var buffer = PacketBuffer()
    var other = PacketBuffer()
    // An output may be the next input.
    var outputs: [FuzzedPacket] = []
    for _ in 0..<8 {
        let packet = choices.statelessPacket(prefix, outputs)
        outputs += try translate(packet, &translator, check, &buffer, &other)
        if choices.isEmpty { return }
    }
}

private func translate(
    _ packet: FuzzedPacket, _ translator: inout StatelessTranslator, _ check: OutputCheck, _ buffer: inout PacketBuffer,
    _ other: inout PacketBuffer
) throws(BrokenInvariant) -> [FuzzedPacket] {
    let isRight = packet.verdict.hasRightChecksum(offload: packet.offload)
    buffer.replace(with: packet.octets.span)
    buffer.offload = packet.offload
    switch translator.translate(&buffer) {
    case .translated:
        let output = FuzzedPacket(buffer)
        let verdict = try check.check(output, isRight: isRight)
        if isRight { try check.checkPayload(packet.verdict, verdict) }
        return [output]
    case .pieces(var pieces):
        var outputs: [FuzzedPacket] = []
        var verdicts: [PacketVerdict] = []
        while pieces.next(of: buffer, into: &other) {
            try require(outputs.count < PacketBuffer.largestPacket, "pieces without end")
            outputs.append(FuzzedPacket(other))
            verdicts.append(try check.check(outputs[outputs.count - 1], isRight: isRight))
        }
        try require(!outputs.isEmpty, "no pieces")
        if isRight { try check.checkPieces(verdicts) }
        return outputs
    case .dropped(_, let answer):
        guard let answer, let error = makeError(answer, about: buffer, &other) else { return [] }
        _ = try check.check(error, isRight: true)
        return [error]
    }
}

private func makeError(
    _ answer: ICMPError, about packet: borrowing PacketBuffer, _ reply: inout PacketBuffer
) -> FuzzedPacket? {
    var builder = ICMPErrorBuilder(ipv4Source: Scene.router4, ipv6Source: Scene.router6)
    switch answer {
    case .ipv4(let error):
        guard let layout = try? IPv4Layout(packet.bytes), builder.build(error, about: packet, layout, into: &reply)
        else { return nil }
    case .ipv6(let error):
        guard let layout = try? IPv6Layout(packet.bytes), builder.build(error, about: packet, layout, into: &reply)
        else { return nil }
    }
    return FuzzedPacket(reply)
}

extension FuzzedPacket {
    init(_ buffer: borrowing PacketBuffer) {
        let bytes = buffer.bytes
        self.init(octets: bytes.indices.map { bytes[$0] }, offload: buffer.offload)
    }
}

extension Choices {
    /// Pool addresses map to hosts, with suffixes of equal and unequal length; all other addresses are under the Pref64.
    fileprivate mutating func statelessAddresses(_ prefix: Pref64) -> StatelessAddresses {
        let mappings = [
            ("192.0.2.1/32", "2001:db8::1/128"), ("192.0.2.0/24", "2001:db8::/120"),
            ("203.0.113.0/24", "2001:db8:7::/64"),
        ].compactMap { pair -> ExplicitAddressMapping? in
            guard let ipv4 = IPv4Prefix(pair.0), let ipv6 = IPv6Prefix(pair.1) else { return nil }
            return ExplicitAddressMapping(ipv4, ipv6)
        }
        let table = oneIn(4) ? nil : try? ExplicitAddressMappingTable(mappings.prefix(1 + below(3)))
        return StatelessAddresses(
            mappings: table ?? ExplicitAddressMappingTable(), prefix: oneIn(8) ? nil : prefix,
            exemptIPv4: Scene.exempt,
            errorSources: ErrorSources(
                ipv4Pool: oneIn(2) ? Scene.pool : [], ipv4: Scene.router4, ipv6: oneIn(2) ? Scene.router6 : nil))
    }

    fileprivate mutating func statelessPacket(_ prefix: Pref64, _ outputs: [FuzzedPacket]) -> FuzzedPacket {
        let isIPv6 = oneIn(2)
        var packet: FuzzedPacket
        switch below(8) {
        case 0: return rawPacket(isIPv6: isIPv6)
        case 1 where !outputs.isEmpty: packet = answer(to: pick(outputs))
        case 2...3 where !outputs.isEmpty:
            packet = error(about: pick(outputs), from: isIPv6 ? Scene.router6.array : Scene.router4.array)
        default:
            let (host, remote) = (pick(Scene.hosts), pick(Scene.remotes + Scene.pool))
            let source = isIPv6 ? host.array : remote.array
            let destination = isIPv6 ? prefix.embed(remote).array : pick(Scene.pool).array
            var datagram = Datagram(
                source: source, destination: destination,
                upper: upperLayer(isIPv6: isIPv6, source: 4_000, destination: 53))
            decorate(&datagram)
            packet = self.packet(of: datagram)
        }
        damage(&packet)
        return packet
    }
}
