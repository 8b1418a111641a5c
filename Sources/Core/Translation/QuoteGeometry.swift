// SPDX-License-Identifier: Apache-2.0
import Wire

/// The sizes of an ICMP error's quoted packet and of the extensions after it, in the translated error (RFC 4884 §3).
///
///     +------+------------+--------------+-----------+---------+------------+
///     | IP   | ICMP       | IP header    | transport | padding | extensions |
///     +------+------------+--------------+-----------+---------+------------+
///                         |<------------ quote --------------->|
struct QuoteGeometry {
    /// Octets of the quote, including padding.
    let quote: Int
    /// Octets of the quoted transport that are kept.
    let transport: Int
    /// The extensions' old position; `nil` if the translated error has none.
    let extensions: Range<Int>?
    /// The value of the length attribute: 0 without extensions.
    let attribute: UInt8

    /// RFC 4884 §4: "the 'original datagram' field MUST contain at least 128 octets", padded with zeros if necessary.
    private static let leastQuote = 128

    /// - Parameters:
    ///   - headerLength: of the quoted packet's new IP header, and Fragment header if there is one.
    ///   - transport: octets of the quoted transport.
    ///   - extensions: their current position.
    ///   - unit: the unit of the new family's length attribute, in octets; `nil` if the new type has none.
    ///   - room: for quote and extensions together.
    ///   - growth: by how much the packet's end may move.
    init(
        headerLength: Int, transport: Int, extensions: Range<Int>?, unit: Int?, room: Int, growth: Int
    ) {
        let whole = headerLength + transport
        // Extensions are kept whole or not at all; the quote is shortened for them, except for its first 128 octets.
        if let extensions, let unit, !extensions.isEmpty, Self.leastQuote + extensions.count <= room,
            growth >= Self.leastQuote
        {
            let quote = max(Self.leastQuote, min(whole, room - extensions.count) / unit * unit)
            if quote / unit <= 255 {
                self.quote = quote
                self.transport = min(transport, quote - headerLength)
                self.extensions = extensions
                attribute = UInt8(quote / unit)
                return
            }
        }
        quote = min(whole, room)
        self.transport = quote - headerLength
        self.extensions = nil
        attribute = 0
    }

    /// Writes zeros after the quoted transport, and the extensions after those; the transport is at `transportOffset`.
    func arrange(_ packet: inout PacketBuffer, transportOffset: Int, headerLength: Int) {
        let dataEnd = transportOffset + transport
        let quoteEnd = transportOffset - headerLength + quote
        let end = quoteEnd + (extensions?.count ?? 0)
        if end > packet.count { packet.resize(to: end) }
        var bytes = packet.mutableBytes
        if let extensions { bytes.move(extensions, to: quoteEnd) }
        for index in dataEnd..<quoteEnd { bytes[index] = 0 }
        packet.resize(to: end)
    }
}
