/// What a packet carries, its checksum not yet made.
struct UpperLayer {
    var protocolNumber: UInt8
    var octets: [UInt8]
    var checksumOffset: Int?

    static let udp: UInt8 = 17
    static let tcp: UInt8 = 6
    static let icmpv4: UInt8 = 1
    static let icmpv6: UInt8 = 58

    static func udp(_ source: UInt16, _ destination: UInt16, _ payload: [UInt8]) -> UpperLayer {
        let header = bigEndian(source) + bigEndian(destination) + bigEndian(UInt16(8 + payload.count)) + [0, 0]
        return UpperLayer(protocolNumber: udp, octets: header + payload, checksumOffset: 6)
    }

    static func tcp(
        _ source: UInt16, _ destination: UInt16, flags: UInt8, sequence: UInt32, options: Int, _ payload: [UInt8]
    ) -> UpperLayer {
        let header =
            bigEndian(source) + bigEndian(destination) + bigEndian(sequence) + [0, 0, 0, 9]
            + [UInt8(5 + options) << 4, flags, 0xff, 0xff, 0, 0, 0, 0] + [UInt8](repeating: 1, count: options * 4)
        return UpperLayer(protocolNumber: tcp, octets: header + payload, checksumOffset: 16)
    }

    /// An ICMP message of the family that `protocolNumber` says.
    static func icmp(
        _ protocolNumber: UInt8, type: UInt8, code: UInt8, rest: UInt32, _ payload: [UInt8]
    ) -> UpperLayer {
        UpperLayer(
            protocolNumber: protocolNumber, octets: [type, code, 0, 0] + bigEndian(rest) + payload, checksumOffset: 2)
    }

    /// The octets with their checksum in a packet from `source` to `destination`.
    func summed(from source: [UInt8], to destination: [UInt8]) -> [UInt8] {
        guard let checksumOffset else { return octets }
        let prefix =
            protocolNumber == Self.icmpv4
            ? [] : pseudoHeader(source, destination, protocolNumber, length: octets.count)
        let sum = slowChecksum(prefix + octets)
        var result = octets
        // RFC 768: a computed checksum of zero is sent as all ones.
        result.replaceSubrange(
            checksumOffset..<checksumOffset + 2,
            with: bigEndian(protocolNumber == Self.udp && sum == 0 ? 0xffff : sum))
        return result
    }
}
