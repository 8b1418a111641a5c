// SPDX-License-Identifier: Apache-2.0
package import Wire

/// The packets that a receiver without offloads sees: each datagram with its own lengths and checksums, made slowly and obviously according
/// to the kernel's offload. A train of TCP segments is not split.
///
/// The identification of an IPv4 packet with DF has no meaning (RFC 6864 §4.1), and is set to zero.
/// - Parameter isNumbered: false to set all identifications to zero.
package func onTheWire(_ octets: [UInt8], _ offload: Offload, isNumbered: Bool = true) -> [[UInt8]] {
    let verdict = PacketVerdict(octets)
    guard verdict.problem == nil else { return [octets] }
    let packets: [[UInt8]]
    switch offload.segmentation {
    case .none: packets = [offload.hasPartialChecksum ? completed(octets, offload) : octets]
    case .udp where offload.segmentSize > 0 && verdict.payload.count > 8:
        packets = segments(of: octets, verdict, size: Int(offload.segmentSize))
    case .udp, .tcpIPv4, .tcpIPv6: packets = [octets]
    }
    return packets.map { $0[0] >> 4 == 4 && (!isNumbered || $0[6] & 0x40 != 0) ? withoutIdentification($0) : $0 }
}

private func completed(_ octets: [UInt8], _ offload: Offload) -> [UInt8] {
    let start = Int(offload.checksumStart)
    let field = start + Int(offload.checksumOffset)
    guard field + 2 <= octets.count else { return octets }
    let checksum = slowChecksum(Array(octets[start...]))
    var result = octets
    result.replaceSubrange(
        field..<field + 2, with: bigEndian(offload.checksumOffset == 6 && checksum == 0 ? 0xffff : checksum))
    return result
}

private func segments(of octets: [UInt8], _ verdict: PacketVerdict, size: Int) -> [[UInt8]] {
    let payload = Array(verdict.payload.dropFirst(8))
    return stride(from: 0, to: payload.count, by: size).enumerated().map { index, start in
        let part = Array(payload[start..<min(start + size, payload.count)])
        let upper = UpperLayer(
            protocolNumber: UpperLayer.udp,
            octets: verdict.payload[..<4] + bigEndian(UInt16(8 + part.count)) + [0, 0] + part, checksumOffset: 6)
        var header = Array(octets[..<verdict.payloadOffset])
        if verdict.source.count == 16 {
            header.replaceSubrange(4..<6, with: bigEndian(UInt16(8 + part.count)))
        } else {
            let identification = UInt16(header[4]) << 8 | UInt16(header[5])
            header.replaceSubrange(2..<4, with: bigEndian(UInt16(header.count + 8 + part.count)))
            header.replaceSubrange(4..<6, with: bigEndian(identification &+ UInt16(index)))
            header = summed(header)
        }
        return header
            + upper.summed(pseudoHeader(verdict.source, verdict.destination, UpperLayer.udp, 8 + part.count))
    }
}

private func withoutIdentification(_ octets: [UInt8]) -> [UInt8] {
    let length = Int(octets[0] & 0xf) * 4
    var header = Array(octets[..<length])
    header.replaceSubrange(4..<6, with: [0, 0])
    return summed(header) + octets[length...]
}

private func summed(_ header: [UInt8]) -> [UInt8] {
    var header = header
    header.replaceSubrange(10..<12, with: [0, 0])
    header.replaceSubrange(10..<12, with: bigEndian(slowChecksum(header)))
    return header
}

/// The difference between receiving `joined` and receiving `single`; `nil` if there is none: the same packets, those of a flow in the same
/// order, with its fragments at the same positions.
package func difference(ofReceived joined: [[UInt8]], from single: [[UInt8]]) -> String? {
    if joined.count != single.count { return "\(joined.count) packets in place of \(single.count)" }
    let (left, right) = (joined.map { (FlowOfPacket($0), $0) }, single.map { (FlowOfPacket($0), $0) })
    for flow in Set((left + right).map(\.0)) {
        let (left, right) = (left.filter { flow.mayInclude($0.0) }, right.filter { flow.mayInclude($0.0) })
        for (left, right) in zip(left, right) where left.1 != right.1 { return "\(left.1) in place of \(right.1)" }
        if left.count != right.count { return "\(left.count) packets of a flow in place of \(right.count)" }
    }
    return nil
}

private struct FlowOfPacket: Hashable {
    var addresses: [UInt8]
    var transport: UInt8
    /// Empty of fragments, and where there are none.
    var ports: [UInt8] = []

    init(_ octets: [UInt8]) {
        let verdict = PacketVerdict(octets)
        addresses = verdict.source + verdict.destination
        transport = verdict.protocolNumber
        if verdict.problem == nil, verdict.fragment == nil, [UpperLayer.udp, UpperLayer.tcp].contains(transport) {
            ports = Array(verdict.payload.prefix(4))
        }
    }

    func mayInclude(_ other: FlowOfPacket) -> Bool {
        other == self || other.ports.isEmpty && other.addresses == addresses && other.transport == transport
    }
}
