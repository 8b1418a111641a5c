/// A packet to be made, whole or in fragments, with lengths and checksums that are right. The length of the addresses
/// is its family.
struct Datagram {
    var source: [UInt8]
    var destination: [UInt8]
    var upper: UpperLayer
    var hopLimit: UInt8 = 64
    var trafficClass: UInt8 = 0
    var identification: UInt32 = 0
    var dontFragment = false
    /// IPv4 options, a multiple of four octets.
    var options: [UInt8] = []
    /// IPv6 extension headers in front of everything else: their numbers, and their octets but for the first.
    var extensions: [(number: UInt8, octets: [UInt8])] = []

    private static let fragmentHeader: UInt8 = 44

    var isIPv6: Bool { source.count == 16 }

    var payload: [UInt8] { upper.summed(from: source, to: destination) }

    var whole: [UInt8] {
        isIPv6
            ? ipv6(upper.protocolNumber, payload)
            : ipv4(payload, flagsAndOffset: dontFragment ? 0x4000 : 0)
    }

    /// The fragment with `count` octets of the payload from `offset`, a multiple of 8, on.
    func fragment(at offset: Int, count: Int) -> [UInt8] { fragment(of: payload, at: offset, count: count) }

    /// All fragments, with `size` octets of the payload each.
    func fragments(of size: Int) -> [[UInt8]] {
        let payload = payload
        return stride(from: 0, to: payload.count, by: size).map { fragment(of: payload, at: $0, count: size) }
    }

    private func fragment(of payload: [UInt8], at offset: Int, count: Int) -> [UInt8] {
        let start = min(offset, payload.count)
        let part = Array(payload[start..<min(start + count, payload.count)])
        let more: UInt16 = start + part.count < payload.count ? 1 : 0
        if !isIPv6 { return ipv4(part, flagsAndOffset: more << 13 | UInt16(start / 8)) }
        let header = [upper.protocolNumber, 0] + bigEndian(UInt16(start) | more) + bigEndian(identification)
        return ipv6(Self.fragmentHeader, header + part)
    }

    private func ipv4(_ payload: [UInt8], flagsAndOffset: UInt16) -> [UInt8] {
        let length = 20 + options.count
        var header = [0x40 | UInt8(length / 4), trafficClass] + bigEndian(UInt16(length + payload.count))
        header += bigEndian(UInt16(truncatingIfNeeded: identification)) + bigEndian(flagsAndOffset)
        header += [hopLimit, upper.protocolNumber, 0, 0] + source + destination + options
        header.replaceSubrange(10..<12, with: bigEndian(slowChecksum(header)))
        return header + payload
    }

    private func ipv6(_ next: UInt8, _ payload: [UInt8]) -> [UInt8] {
        var next = next
        var payload = payload
        for (number, octets) in extensions.reversed() {
            payload = [next] + octets + payload
            next = number
        }
        return [0x60 | trafficClass >> 4, trafficClass << 4, 0, 0] + bigEndian(UInt16(payload.count))
            + [next, hopLimit] + source + destination + payload
    }
}
