// SPDX-License-Identifier: Apache-2.0
public import Wire

extension HeaderTranslator {
    /// Translates an ICMPv4 error to ICMPv6 (RFC 7915 §4.2, §4.3). Only the addresses of `tuple` are used; the quoted packet gets all of
    /// `inner`.
    public mutating func translateError(
        _ packet: inout PacketBuffer, _ layout: IPv4Layout, quoting quoted: IPv4Layout, to tuple: Tuple6,
        quotedTo inner: Tuple6
    ) -> TranslationOutcome {
        translateError(&packet, layout, quoting: quoted, to: tuple, quotedTo: inner, isForwarded: true)
    }

    /// A packet that is not forwarded keeps its TTL: either it was decremented on its way in already, or it is our own.
    package func translateError(
        _ packet: inout PacketBuffer, _ layout: IPv4Layout, quoting quoted: IPv4Layout, to tuple: Tuple6,
        quotedTo inner: Tuple6, isForwarded: Bool
    ) -> TranslationOutcome {
        do throws(Refusal) {
            try translateICMPv4Error(&packet, layout, quoted, tuple, inner, isForwarded: isForwarded)
            return .translated
        } catch {
            return .dropped(error.reason, answer: error.answer)
        }
    }

    private func translateICMPv4Error(
        _ packet: inout PacketBuffer, _ layout: IPv4Layout, _ quoted: IPv4Layout, _ tuple: Tuple6, _ inner: Tuple6,
        isForwarded: Bool
    ) throws(Refusal) {
        packet.resize(to: layout.end)
        let transport = layout.transport
        // An illegal source is translated, too, "for the purpose of trouble shooting" (RFC 7915 §4.1).
        let hopLimit = try Self.checkHeader(of: packet.bytes, layout, isForwarded: isForwarded)
        if !layout.fragment.isWhole { throw Refusal(.fragmentedICMP) }
        try Self.settlePartialChecksum(of: &packet, transport, isWhole: true)
        try Self.checkChecksum(of: packet.bytes, transport)
        try Self.checkQuoted(quoted.transport)
        if quoted.transport.protocolNumber.isOnlyOfIPv6 { throw Refusal(.foreignProtocol) }

        let type = packet.bytes[transport.offset + ICMPHeader.type]
        guard
            let error = ICMPv6Error(
                translating: type, code: packet.bytes[transport.offset + ICMPHeader.code],
                rest: packet.bytes.uint32(at: transport.offset + ICMPHeader.rest), quotedLength: quoted.totalLength,
                options: options)
        else { throw Refusal(.icmpErrorNotTranslated) }

        let quotedHeaderLength =
            IPv6Header.length + (quoted.fragment.isWhole ? 0 : IPv6FragmentHeader.length)
        let geometry = QuoteGeometry(
            headerLength: quotedHeaderLength, transport: quoted.transport.count,
            extensions: ICMPv4Type.mayHaveExtensions(type)
                ? Self.extensions(
                    in: transport, words: packet.bytes[transport.offset + ICMPHeader.quoteLength4], unit: 4) : nil,
            unit: ICMPv6Type.mayHaveExtensions(error.type) ? 8 : nil,
            room: ICMPErrorBuilder.largestIPv6Error - IPv6Header.length - ICMPHeader.length,
            growth: packet.availableTailroom)

        // The headers are made from the old packet before they overwrite it. The quoted packet's TTL is not decremented (§4.3).
        let payload = ICMPHeader.length + geometry.quote + (geometry.extensions?.count ?? 0)
        let header = ipv6Header(for: packet.bytes, layout, tuple, payloadLength: payload, hopLimit: hopLimit)
        let quotedPayload = quotedHeaderLength - IPv6Header.length + quoted.totalLength - quoted.headerLength
        let quotedHeader = ipv6Header(
            for: packet.bytes, quoted, inner, payloadLength: quotedPayload,
            hopLimit: packet.bytes[quoted.start + IPv4Header.ttl])

        geometry.arrange(&packet, transportOffset: quoted.transport.offset, headerLength: quotedHeaderLength)
        let quote = IPv6Header.length + ICMPHeader.length
        packet.moveStart(by: quoted.transport.offset - quote - quotedHeaderLength)
        var bytes = packet.mutableBytes
        Self.rewriteTransport(
            of: &bytes, at: quote + quotedHeaderLength, keeping: geometry.transport, quoted, inner, isPartial: false)
        Self.write(quotedHeader, quoted, to: &bytes, at: quote)
        header.write(to: &bytes)
        ICMPHeader.Fields(type: error.type, code: error.code, rest: error.rest)
            .write(to: &bytes, at: IPv6Header.length)
        if geometry.attribute != 0 { bytes[IPv6Header.length + ICMPHeader.quoteLength6] = geometry.attribute }

        var sum = InternetChecksum(
            pseudoHeaderFrom: tuple.source, to: tuple.destination, of: .icmpv6, length: payload)
        sum.add(bytes.span, in: IPv6Header.length..<bytes.count)
        bytes.setUInt16(sum.checksum, at: IPv6Header.length + ICMPHeader.checksum)
        packet.offload = .none
    }

    /// RFC 5508 REQ-3: a translator changes what the checksum covers, and must not turn a wrong checksum into a right one.
    private static func checkChecksum(of bytes: Span<UInt8>, _ transport: TransportLayout) throws(Refusal) {
        var sum = InternetChecksum()
        sum.add(bytes, in: transport.offset..<transport.end)
        if sum.checksum != 0 { throw Refusal(.wrongICMPChecksum) }
    }
}
