// SPDX-License-Identifier: Apache-2.0
package import Wire

/// An IPv4 packet to make, whole or in fragments, by default with valid lengths and checksums. Made slowly and obviously: arrays of octets,
/// concatenated and summed one by one.
package struct IPv4Datagram {
    package var source: IPv4Address
    package var destination: IPv4Address
    package var tos: UInt8
    package var identification: UInt16
    package var dontFragment: Bool
    package var moreFragments: Bool
    package var fragmentOffset: Int
    package var ttl: UInt8
    /// Length: a multiple of four octets.
    package var options: [UInt8]
    /// The value of the Total Length field; `nil` for the right one.
    package var totalLength: Int?

    /// The default addresses are those of Jool's conformance tests.
    package init(
        source: IPv4Address = IPv4Address(192, 0, 2, 33), destination: IPv4Address = IPv4Address(198, 51, 100, 2),
        tos: UInt8 = 0, identification: UInt16 = 0, dontFragment: Bool = false, moreFragments: Bool = false,
        fragmentOffset: Int = 0, ttl: UInt8 = 64, options: [UInt8] = [], totalLength: Int? = nil
    ) {
        self.source = source
        self.destination = destination
        self.tos = tos
        self.identification = identification
        self.dontFragment = dontFragment
        self.moreFragments = moreFragments
        self.fragmentOffset = fragmentOffset
        self.ttl = ttl
        self.options = options
        self.totalLength = totalLength
    }

    /// The header in front of `length` octets.
    package func header(_ protocolNumber: UInt8, _ length: Int) -> [UInt8] {
        let headerLength = 20 + options.count
        let flags: UInt16 = (dontFragment ? 0x4000 : 0) | (moreFragments ? 0x2000 : 0)
        var header =
            [0x40 | UInt8(headerLength / 4), tos] + bigEndian(UInt16(totalLength ?? headerLength + length))
            + bigEndian(identification) + bigEndian(flags | UInt16(fragmentOffset / 8))
        header += [ttl, protocolNumber, 0, 0] + bigEndian(source) + bigEndian(destination) + options
        header.replaceSubrange(10..<12, with: bigEndian(slowChecksum(header)))
        return header
    }

    package func packet(_ upper: UpperLayer) -> [UInt8] { raw(upper.protocolNumber, summed(upper)) }

    /// The packet, the transport's checksum filled in.
    package func packet(_ protocolNumber: UInt8, _ transport: [UInt8]) -> [UInt8] {
        packet(
            UpperLayer(
                protocolNumber: protocolNumber, octets: transport,
                checksumOffset: UpperLayer.checksumOffset(of: protocolNumber)))
    }

    /// The packet, with whatever it carries left as it is.
    package func raw(_ protocolNumber: UInt8, _ content: [UInt8]) -> [UInt8] {
        header(protocolNumber, content.count) + content
    }

    /// The fragment with `count` octets of what is above IP from `offset`, a multiple of 8, on.
    package func fragment(_ upper: UpperLayer, at offset: Int, count: Int) -> [UInt8] {
        fragment(upper.protocolNumber, of: summed(upper), at: offset, count: count)
    }

    /// All fragments, with `size` octets of what is above IP each.
    package func fragments(_ upper: UpperLayer, size: Int) -> [[UInt8]] {
        let whole = summed(upper)
        return stride(from: 0, to: whole.count, by: size).map {
            fragment(upper.protocolNumber, of: whole, at: $0, count: size)
        }
    }

    private func summed(_ upper: UpperLayer) -> [UInt8] {
        upper.summed(pseudoHeader(source, destination, upper.protocolNumber, upper.octets.count))
    }

    private func fragment(_ protocolNumber: UInt8, of whole: [UInt8], at offset: Int, count: Int) -> [UInt8] {
        let start = min(offset, whole.count)
        let part = Array(whole[start..<min(start + count, whole.count)])
        var header = self
        header.moreFragments = start + part.count < whole.count
        header.fragmentOffset = start
        return header.raw(protocolNumber, part)
    }
}
