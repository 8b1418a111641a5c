// SPDX-License-Identifier: Apache-2.0
package import Wire

/// An IPv6 packet to make, whole or in fragments, by default with valid lengths and checksums.
package struct IPv6Datagram {
    package var source: IPv6Address
    package var destination: IPv6Address
    package var trafficClass: UInt8
    package var flowLabel: UInt32
    package var hopLimit: UInt8
    /// The extension headers between the IPv6 header and the transport: number and octets, whose Next Header is filled in.
    package var extensions: [(number: UInt8, octets: [UInt8])]
    /// The value of the Payload Length field; `nil` for the right one.
    package var payloadLength: Int?

    /// The default addresses are those of Jool's conformance tests.
    package init(
        source: IPv6Address = IPv6Address("2001:db8:1c0:2:21::")!,
        destination: IPv6Address = IPv6Address("2001:db8:1c6:3364:2::")!, trafficClass: UInt8 = 0,
        flowLabel: UInt32 = 0, hopLimit: UInt8 = 64, extensions: [(number: UInt8, octets: [UInt8])] = [],
        payloadLength: Int? = nil
    ) {
        self.source = source
        self.destination = destination
        self.trafficClass = trafficClass
        self.flowLabel = flowLabel
        self.hopLimit = hopLimit
        self.extensions = extensions
        self.payloadLength = payloadLength
    }

    /// The header, with its extensions, in front of `length` octets.
    package func header(_ upperLayer: UInt8, _ length: Int) -> [UInt8] {
        let chain = extensions.map(\.number) + [upperLayer]
        let length = payloadLength ?? length + extensions.map(\.octets.count).reduce(0, +)
        var header = bigEndian(6 << 28 | UInt32(trafficClass) << 20 | flowLabel) + bigEndian(UInt16(length))
        header += [chain[0], hopLimit] + bigEndian(source) + bigEndian(destination)
        for (index, item) in extensions.enumerated() { header += [chain[index + 1]] + item.octets.dropFirst() }
        return header
    }

    package func packet(_ upper: UpperLayer) -> [UInt8] { raw(upper.protocolNumber, summed(upper)) }

    /// The packet, the transport's checksum filled in.
    package func packet(_ upperLayer: UInt8, _ transport: [UInt8]) -> [UInt8] {
        packet(
            UpperLayer(
                protocolNumber: upperLayer, octets: transport,
                checksumOffset: UpperLayer.checksumOffset(of: upperLayer)))
    }

    /// The packet, with whatever it carries left as it is.
    package func raw(_ upperLayer: UInt8, _ content: [UInt8]) -> [UInt8] {
        header(upperLayer, content.count) + content
    }

    /// A Fragment header (RFC 8200 §4.5).
    package static func fragment(
        offset: Int, more: Bool, identification: UInt32
    ) -> (number: UInt8, octets: [UInt8]) {
        (44, [0, 0] + bigEndian(UInt16(offset) | (more ? 1 : 0)) + bigEndian(identification))
    }

    /// The fragment with `count` octets of what is above IP from `offset`, a multiple of 8, on.
    package func fragment(_ upper: UpperLayer, at offset: Int, count: Int, identification: UInt32) -> [UInt8] {
        fragment(upper.protocolNumber, of: summed(upper), at: offset, count: count, identification)
    }

    /// All fragments, with `size` octets of what is above IP each.
    package func fragments(_ upper: UpperLayer, size: Int, identification: UInt32) -> [[UInt8]] {
        let whole = summed(upper)
        return stride(from: 0, to: whole.count, by: size).map {
            fragment(upper.protocolNumber, of: whole, at: $0, count: size, identification)
        }
    }

    private func summed(_ upper: UpperLayer) -> [UInt8] {
        upper.summed(pseudoHeader(source, destination, upper.protocolNumber, upper.octets.count))
    }

    private func fragment(
        _ upperLayer: UInt8, of whole: [UInt8], at offset: Int, count: Int, _ identification: UInt32
    ) -> [UInt8] {
        let start = min(offset, whole.count)
        let part = Array(whole[start..<min(start + count, whole.count)])
        var header = self
        header.extensions.append(
            Self.fragment(offset: start, more: start + part.count < whole.count, identification: identification))
        return header.raw(upperLayer, part)
    }
}
