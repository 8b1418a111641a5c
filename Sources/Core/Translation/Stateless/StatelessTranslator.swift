// SPDX-License-Identifier: Apache-2.0
public import Wire

/// RFC 7915 without state: translates any IP protocol, fragments too, each packet by itself.
///
/// An IPv6 packet becomes an IPv4 one, an IPv4 packet an IPv6 one. A hairpinned IPv6 packet stays an IPv6 one, so after `.translated` the
/// family of the packet in the buffer decides where to send it.
///
/// A hairpinned packet that is dropped on its way back leaves an IPv4 packet in the buffer, and has no answer.
public struct StatelessTranslator {
    public var addresses: StatelessAddresses
    public var translator: HeaderTranslator

    public init(_ addresses: StatelessAddresses, options: TranslationOptions = TranslationOptions(), seed: UInt64) {
        self.addresses = addresses
        translator = HeaderTranslator(options: options, seed: seed)
    }

    /// Examines and translates the packet. One that cannot be parsed is dropped without an answer.
    public mutating func translate(_ packet: inout PacketBuffer) -> TranslationOutcome {
        guard packet.count > 0 else { return .dropped(.truncated) }
        if packet.family == .ipv6 {
            let layout: IPv6Layout
            do { layout = try IPv6Layout(packet.bytes) } catch { return .dropped(DropReason(ipv6: error)) }
            return translate(&packet, layout)
        } else {
            let layout: IPv4Layout
            do { layout = try IPv4Layout(packet.bytes) } catch { return .dropped(DropReason(ipv4: error)) }
            return translate(&packet, layout)
        }
    }

    /// Translates an IPv6 packet.
    package mutating func translate(_ packet: inout PacketBuffer, _ layout: IPv6Layout) -> TranslationOutcome {
        do throws(Refusal) { return try translateIPv6(&packet, layout) } catch {
            return .dropped(error.reason, answer: error.answer)
        }
    }

    /// Translates an IPv4 packet.
    package mutating func translate(_ packet: inout PacketBuffer, _ layout: IPv4Layout) -> TranslationOutcome {
        do throws(Refusal) { return try toIPv6(&packet, layout, isHairpinned: false) } catch {
            return .dropped(error.reason, answer: error.answer)
        }
    }

    // MARK: - From IPv6

    private mutating func translateIPv6(
        _ packet: inout PacketBuffer, _ layout: IPv6Layout
    ) throws(Refusal) -> TranslationOutcome {
        // RFC 7915 §5.1: a packet with an illegal source address, such as ::1, is dropped silently.
        if layout.source.isIllegalSource { throw Refusal(.illegalSource) }
        guard addresses.isHairpin(to: layout.destination) else { return try toIPv4(&packet, layout) }

        return try hairpin(&packet, layout)
    }

    /// RFC 7757 §4.2.2: translates to IPv4 and back at once, regardless of the MTU of the IPv4 link, which the packet never passes.
    private mutating func hairpin(
        _ packet: inout PacketBuffer, _ layout: IPv6Layout
    ) throws(Refusal) -> TranslationOutcome {
        let superPacket = try SuperPacket.examine(packet, layout.transport, tcp: .tcpIPv6)
        let size = layout.headerLength + (superPacket?.largestSegment ?? layout.transport.count)
        if size > translator.options.ipv6MTU {
            throw Refusal(.packetTooBig, answering: .packetTooBig(mtu: translator.options.ipv6MTU))
        }
        let ipv4MTU = translator.options.ipv4MTU
        translator.options.ipv4MTU = .max
        defer { translator.options.ipv4MTU = ipv4MTU }
        let outcome = try toIPv4(&packet, layout)
        if case .dropped = outcome { return outcome }
        // From here on the buffer contains an IPv4 packet that no host sent, so a drop has no answer.
        guard outcome == .translated else { return .dropped(.unsupportedOffload) }
        let turned: IPv4Layout
        do throws(WireError) { turned = try IPv4Layout(packet.bytes) } catch { throw Refusal(DropReason(ipv4: error)) }
        do throws(Refusal) {
            let back = try toIPv6(&packet, turned, isHairpinned: true)
            guard case .dropped(let reason, _) = back else { return back }
            throw Refusal(reason)
        } catch {
            throw Refusal(error.reason)
        }
    }

    private mutating func toIPv4(
        _ packet: inout PacketBuffer, _ layout: IPv6Layout
    ) throws(Refusal) -> TranslationOutcome {
        guard layout.transport.kind == .icmpError else {
            var tuple = Tuple4(
                source: try addresses.ipv4Address(of: layout.source, as: .source),
                destination: try addresses.ipv4Address(of: layout.destination, as: .destination))
            tuple.keepPorts(of: layout.transport)
            return translator.translate(&packet, layout, to: tuple)
        }
        let quoted: IPv6Layout
        do throws(WireError) { quoted = try layout.quotedPacket(in: packet.bytes) } catch {
            throw Refusal(.malformedICMPError)
        }
        let outer = Tuple4(
            source: try addresses.ipv4ErrorSource(of: layout.source),
            destination: try addresses.ipv4Address(of: layout.destination, as: .destination))
        var inner = Tuple4(
            source: try addresses.ipv4Address(of: quoted.source, as: .source),
            destination: try addresses.ipv4Address(of: quoted.destination, as: .destination))
        inner.keepPorts(of: quoted.transport)
        return translator.translateError(&packet, layout, quoting: quoted, to: outer, quotedTo: inner)
    }

    // MARK: - From IPv4

    /// A hairpinned packet's sender must appear under the Pref64, where the other host can answer it: its mapping is not used, nor that of
    /// the destination of the packet which a hairpinned error quotes (RFC 7757 §4.2).
    private mutating func toIPv6(
        _ packet: inout PacketBuffer, _ layout: IPv4Layout, isHairpinned: Bool
    ) throws(Refusal) -> TranslationOutcome {
        guard layout.transport.kind == .icmpError else {
            var tuple = Tuple6(
                source: try addresses.ipv6Address(of: layout.source, as: .source, usingMappings: !isHairpinned),
                destination: try addresses.ipv6Address(of: layout.destination, as: .destination))
            tuple.keepPorts(of: layout.transport)
            return translator.translate(&packet, layout, to: tuple, isForwarded: !isHairpinned)
        }
        let quoted: IPv4Layout
        do throws(WireError) { quoted = try layout.quotedPacket(in: packet.bytes) } catch {
            throw Refusal(.malformedICMPError)
        }
        let outer = Tuple6(
            source: try addresses.ipv6ErrorSource(of: layout.source, usingMappings: !isHairpinned),
            destination: try addresses.ipv6Address(of: layout.destination, as: .destination))
        var inner = Tuple6(
            source: try addresses.ipv6Address(of: quoted.source, as: .source),
            destination: try addresses.ipv6Address(
                of: quoted.destination, as: .destination, usingMappings: !isHairpinned))
        inner.keepPorts(of: quoted.transport)
        return translator.translateError(
            &packet, layout, quoting: quoted, to: outer, quotedTo: inner, isForwarded: !isHairpinned)
    }
}

extension Tuple4 {
    fileprivate mutating func keepPorts(of transport: TransportLayout) {
        sourcePort = transport.sourcePort
        destinationPort = transport.destinationPort
    }
}

extension Tuple6 {
    fileprivate mutating func keepPorts(of transport: TransportLayout) {
        sourcePort = transport.sourcePort
        destinationPort = transport.destinationPort
    }
}
