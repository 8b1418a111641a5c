// SPDX-License-Identifier: Apache-2.0
public import Wire

extension HeaderTranslator {
    /// Translates an ICMPv6 error to ICMPv4 (RFC 7915 §5.2, §5.3). Only the addresses of `tuple` are used; the quoted packet gets all of
    /// `inner`.
    public mutating func translateError(
        _ packet: inout PacketBuffer, _ layout: IPv6Layout, quoting quoted: IPv6Layout, to tuple: Tuple4,
        quotedTo inner: Tuple4
    ) -> TranslationOutcome {
        do throws(Refusal) {
            try translateICMPv6Error(&packet, layout, quoted, tuple, inner)
            return .translated
        } catch {
            return .dropped(error.reason, answer: error.answer)
        }
    }

    private mutating func translateICMPv6Error(
        _ packet: inout PacketBuffer, _ layout: IPv6Layout, _ quoted: IPv6Layout, _ tuple: Tuple4, _ inner: Tuple4
    ) throws(Refusal) {
        packet.resize(to: layout.end)
        let transport = layout.transport
        let ttl = try Self.checkHeaders(of: packet.bytes, layout)
        if !layout.fragment.isWhole { throw Refusal(.fragmentedICMP) }
        try Self.settlePartialChecksum(of: &packet, transport, isWhole: true)
        try Self.checkChecksum(of: packet.bytes, layout)
        try Self.checkQuoted(quoted.transport)
        if quoted.transport.protocolNumber == .icmp { throw Refusal(.foreignProtocol) }
        if quoted.hasHeaderAfterFragment { throw Refusal(.malformedICMPError) }

        let type = packet.bytes[transport.offset + ICMPHeader.type]
        guard
            let error = ICMPv4Error(
                translating: type, code: packet.bytes[transport.offset + ICMPHeader.code],
                rest: packet.bytes.uint32(at: transport.offset + ICMPHeader.rest),
                isAboutFragment: quoted.fragmentHeader != nil, options: options)
        else { throw Refusal(.icmpErrorNotTranslated) }

        let room = min(ICMPErrorBuilder.largestIPv4Error, options.ipv4MTU) - IPv4Header.length - ICMPHeader.length
        let geometry = QuoteGeometry(
            headerLength: IPv4Header.length, transport: quoted.transport.count,
            extensions: ICMPv6Type.mayHaveExtensions(type)
                ? Self.extensions(
                    in: transport, words: packet.bytes[transport.offset + ICMPHeader.quoteLength6], unit: 8) : nil,
            unit: ICMPv4Type.mayHaveExtensions(error.type) ? 4 : nil, room: room, growth: packet.availableTailroom)

        // The headers are made from the old packet before they overwrite it. The quoted packet's hop limit is not decremented (§5.3); its
        // identification on the IPv4 side is unknown.
        let payload = ICMPHeader.length + geometry.quote + (geometry.extensions?.count ?? 0)
        let header = ipv4Header(
            for: packet.bytes, layout, tuple, payload: payload, hopLimit: ttl,
            size: IPv4Header.length + payload, packets: 1)
        let quotedPayload = quoted.payloadLength + IPv6Header.length - quoted.headerLength
        var quotedHeader = ipv4Header(
            for: packet.bytes, quoted, inner, payload: quotedPayload,
            hopLimit: packet.bytes[quoted.start + IPv6Header.hopLimit], size: IPv4Header.length + quotedPayload,
            packets: 0)
        if quoted.fragmentHeader == nil { quotedHeader.identification = 0 }

        geometry.arrange(&packet, transportOffset: quoted.transport.offset, headerLength: IPv4Header.length)
        let quote = IPv4Header.length + ICMPHeader.length
        packet.moveStart(by: quoted.transport.offset - quote - IPv4Header.length)
        var bytes = packet.mutableBytes
        Self.rewriteTransport(
            of: &bytes, at: quote + IPv4Header.length, keeping: geometry.transport, quoted, inner, isPartial: false)
        quotedHeader.write(to: &bytes, at: quote)
        header.write(to: &bytes)
        ICMPHeader.Fields(type: error.type, code: error.code, rest: error.rest)
            .write(to: &bytes, at: IPv4Header.length)
        if geometry.attribute != 0 { bytes[IPv4Header.length + ICMPHeader.quoteLength4] = geometry.attribute }

        var sum = InternetChecksum()
        sum.add(bytes.span, in: IPv4Header.length..<bytes.count)
        bytes.setUInt16(sum.checksum, at: IPv4Header.length + ICMPHeader.checksum)
        packet.offload = .none
    }

    /// RFC 5508 REQ-3: a translator changes what the checksum covers, and must not turn a wrong checksum into a right one.
    private static func checkChecksum(of bytes: Span<UInt8>, _ layout: IPv6Layout) throws(Refusal) {
        let transport = layout.transport
        var sum = InternetChecksum(
            pseudoHeaderFrom: layout.source, to: layout.destination, of: .icmpv6, length: transport.count)
        sum.add(bytes, in: transport.offset..<transport.end)
        if sum.checksum != 0 { throw Refusal(.wrongICMPChecksum) }
    }

    /// "This process MUST stop at the first embedded header and drop the packet if it contains more embedded headers"
    /// (RFC 7915 §4.3, §5.3).
    static func checkQuoted(_ transport: TransportLayout) throws(Refusal) {
        if transport.kind == .icmpError { throw Refusal(.icmpErrorAboutICMPError) }
        if transport.kind == .icmpOther { throw Refusal(.icmpErrorNotTranslated) }
    }

    /// The range of an ICMP error's extensions, if its length attribute of `words` × `unit` octets shows that it has any.
    static func extensions(in icmp: TransportLayout, words: UInt8, unit: Int) -> Range<Int>? {
        let start = icmp.offset + ICMPHeader.length + Int(words) * unit
        return words > 0 && start < icmp.end ? start..<icmp.end : nil
    }
}
