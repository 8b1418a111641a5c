import Testing
import Translation
import Wire

// Packets for tests, made slowly and obviously: arrays of octets, put together and summed one by one.

/// Reads hex digits; spaces and line ends group them.
func hex(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    precondition(digits.count % 2 == 0)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

func octets(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xff)] }
func octets(_ value: UInt32) -> [UInt8] { octets(UInt16(value >> 16)) + octets(UInt16(value & 0xffff)) }
func octets(_ address: IPv4Address) -> [UInt8] { octets(address.bits) }
func octets(_ address: IPv6Address) -> [UInt8] { (0..<16).map(address.octet) }

/// `count` octets that all differ from their neighbours.
func payload(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + 1) } }

/// RFC 1071, word by word.
func slowSum(_ bytes: [UInt8]) -> UInt16 {
    var sum = 0
    for index in stride(from: 0, to: bytes.count, by: 2) {
        sum += Int(bytes[index]) << 8 + (index + 1 < bytes.count ? Int(bytes[index + 1]) : 0)
        if sum > 0xffff { sum -= 0xffff }
    }
    return UInt16(sum)
}

/// Where a transport's checksum field is.
private func checksumField(_ upperLayer: UInt8) -> Int? {
    switch upperLayer {
    case 6: 16
    case 17: 6
    case 1, 58: 2
    default: nil
    }
}

/// The transport with its checksum filled in.
private func summed(_ transport: [UInt8], _ upperLayer: UInt8, pseudoHeader: [UInt8]) -> [UInt8] {
    guard let field = checksumField(upperLayer), field + 2 <= transport.count else { return transport }
    var result = transport
    result.replaceSubrange(field..<field + 2, with: [0, 0])
    var checksum = ~slowSum(pseudoHeader + result)
    if upperLayer == 17 && checksum == 0 { checksum = 0xffff }
    result.replaceSubrange(field..<field + 2, with: octets(checksum))
    return result
}

func pseudoHeader4(_ source: IPv4Address, _ destination: IPv4Address, _ upperLayer: UInt8, _ length: Int) -> [UInt8] {
    upperLayer == 1 ? [] : octets(source) + octets(destination) + [0, upperLayer] + octets(UInt16(length))
}

func pseudoHeader6(_ source: IPv6Address, _ destination: IPv6Address, _ upperLayer: UInt8, _ length: Int) -> [UInt8] {
    octets(source) + octets(destination) + octets(UInt32(length)) + [0, 0, 0, upperLayer]
}

struct IPv4Test {
    var source = IPv4Address(192, 0, 2, 33)
    var destination = IPv4Address(198, 51, 100, 2)
    var tos: UInt8 = 0
    var identification: UInt16 = 0
    var dontFragment = false
    var moreFragments = false
    var fragmentOffset = 0
    var ttl: UInt8 = 64
    var options: [UInt8] = []
    /// What the Total Length field says, if not the truth.
    var totalLength: Int?

    func header(_ protocolNumber: UInt8, _ length: Int) -> [UInt8] {
        let headerLength = 20 + options.count
        let flags: UInt16 = (dontFragment ? 0x4000 : 0) | (moreFragments ? 0x2000 : 0)
        var header: [UInt8] =
            [0x40 | UInt8(headerLength / 4), tos] + octets(UInt16(totalLength ?? headerLength + length))
        header += octets(identification) + octets(flags | UInt16(fragmentOffset / 8))
        header += [ttl, protocolNumber, 0, 0] + octets(source) + octets(destination) + options
        header.replaceSubrange(10..<12, with: octets(~slowSum(header)))
        return header
    }

    /// The packet, the transport's checksum filled in.
    func packet(_ protocolNumber: UInt8, _ transport: [UInt8]) -> [UInt8] {
        let pseudoHeader = pseudoHeader4(source, destination, protocolNumber, transport.count)
        return raw(protocolNumber, summed(transport, protocolNumber, pseudoHeader: pseudoHeader))
    }

    /// The packet, with whatever it carries left as it is.
    func raw(_ protocolNumber: UInt8, _ content: [UInt8]) -> [UInt8] { header(protocolNumber, content.count) + content }
}

struct IPv6Test {
    var source = IPv6Address("2001:db8:1c0:2:21::")!
    var destination = IPv6Address("2001:db8:1c6:3364:2::")!
    var trafficClass: UInt8 = 0
    var flowLabel: UInt32 = 0
    var hopLimit: UInt8 = 64
    /// The extension headers between the IPv6 header and the transport: number and octets, whose Next Header is filled in.
    var extensions: [(number: UInt8, octets: [UInt8])] = []
    /// What the Payload Length field says, if not the truth.
    var payloadLength: Int?

    func header(_ upperLayer: UInt8, _ length: Int) -> [UInt8] {
        let chain = extensions.map(\.number) + [upperLayer]
        let length = payloadLength ?? length + extensions.map(\.octets.count).reduce(0, +)
        var header = octets(6 << 28 | UInt32(trafficClass) << 20 | flowLabel) + octets(UInt16(length))
        header += [chain[0], hopLimit] + octets(source) + octets(destination)
        for (index, item) in extensions.enumerated() { header += [chain[index + 1]] + item.octets.dropFirst() }
        return header
    }

    /// The packet, the transport's checksum filled in.
    func packet(_ upperLayer: UInt8, _ transport: [UInt8]) -> [UInt8] {
        let pseudoHeader = pseudoHeader6(source, destination, upperLayer, transport.count)
        return raw(upperLayer, summed(transport, upperLayer, pseudoHeader: pseudoHeader))
    }

    /// The packet, with whatever it carries left as it is.
    func raw(_ upperLayer: UInt8, _ content: [UInt8]) -> [UInt8] { header(upperLayer, content.count) + content }

    static func fragment(offset: Int, more: Bool, identification: UInt32) -> (number: UInt8, octets: [UInt8]) {
        (44, [0, 0] + octets(UInt16(offset) | (more ? 1 : 0)) + octets(identification))
    }
}

func udp(_ source: UInt16, _ destination: UInt16, _ data: [UInt8]) -> [UInt8] {
    octets(source) + octets(destination) + octets(UInt16(8 + data.count)) + [0, 0] + data
}

func tcp(
    _ source: UInt16, _ destination: UInt16, sequence: UInt32 = 1000, flags: UInt8 = 0x10, options: [UInt8] = [],
    _ data: [UInt8]
) -> [UInt8] {
    octets(source) + octets(destination) + octets(sequence) + octets(UInt32(2000))
        + [UInt8(5 + options.count / 4) << 4, flags] + octets(UInt16(4096)) + [0, 0, 0, 0] + options + data
}

func icmp(_ type: UInt8, _ code: UInt8, rest: UInt32 = 0, _ data: [UInt8] = []) -> [UInt8] {
    [type, code, 0, 0] + octets(rest) + data
}

func echo(_ type: UInt8, identifier: UInt16, _ data: [UInt8]) -> [UInt8] {
    icmp(type, 0, rest: UInt32(identifier) << 16 | 1, data)
}

extension PacketBuffer {
    init(_ packet: [UInt8], offload: Offload = .none) {
        self.init(capacity: PacketBuffer.largestPacket)
        replace(with: packet.span)
        self.offload = offload
    }

    var array: [UInt8] {
        let bytes = self.bytes
        return bytes.indices.map { bytes[$0] }
    }
}

/// A buffer full of 0xa5, so that octets nobody wrote show.
func soiledBuffer() -> PacketBuffer {
    var buffer = PacketBuffer()
    buffer.resize(to: PacketBuffer.largestPacket)
    var bytes = buffer.mutableBytes
    for index in bytes.indices { bytes[index] = 0xa5 }
    buffer.reset()
    return buffer
}
