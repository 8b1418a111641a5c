// SPDX-License-Identifier: Apache-2.0
import Testing
import Wire

/// RFC 8200: what an examination of an IPv6 packet finds.
@Suite struct IPv6LayoutTests {
    static let addresses = [UInt8](repeating: 0x20, count: 16) + [UInt8](repeating: 0x30, count: 16)
    static let udp: [UInt8] = [0, 1, 0, 2, 0, 11, 0xab, 0xcd, 7, 8, 9]

    /// A packet with the headers of `chain`, each of which says by itself what comes next.
    static func packet(_ next: UInt8, _ chain: [UInt8] = [], _ transport: [UInt8] = udp) -> [UInt8] {
        let length = UInt16(chain.count + transport.count)
        return [0x60, 0, 0, 0, UInt8(length >> 8), UInt8(length & 0xff), next, 64] + addresses + chain + transport
    }

    static func failure(_ bytes: [UInt8]) -> WireError? {
        do throws(WireError) {
            _ = try IPv6Layout(bytes.span)
            return nil
        } catch {
            return error
        }
    }

    static let hopByHop: [UInt8] = [43, 0, 1, 4, 0, 0, 0, 0]
    static let routing: [UInt8] = [44, 0, 3, 2, 0, 0, 0, 0]
    static let fragment: [UInt8] = [17, 0, 0, 0, 1, 2, 3, 4]

    @Test func `everything is found in one pass`() throws {
        let layout = try IPv6Layout(Self.packet(17).span)
        #expect(layout.start == 0)
        #expect(layout.headerLength == 40)
        #expect(layout.payloadLength == 11)
        #expect(layout.source == IPv6Address("2020:2020:2020:2020:2020:2020:2020:2020"))
        #expect(layout.destination == IPv6Address("3030:3030:3030:3030:3030:3030:3030:3030"))
        #expect(layout.fragmentHeader == nil)
        #expect(layout.fragment.isWhole)
        #expect(layout.unexpiredRoute == nil)
        #expect(layout.transport.kind == .udp)
        #expect(layout.transport.offset == 40)
        #expect(layout.transport.sourcePort == 1)
        #expect(layout.transport.destinationPort == 2)
        #expect(layout.end == 51)
    }

    @Test func `the chain of extension headers is walked`() throws {
        let layout = try IPv6Layout(Self.packet(0, Self.hopByHop + Self.routing + Self.fragment).span)
        #expect(layout.transport.kind == .udp)
        #expect(layout.transport.offset == 64)
        #expect(layout.unexpiredRoute == 51)
        #expect(layout.fragmentHeader == 56)
        #expect(layout.fragment.isWhole, "an atomic fragment")
        #expect(layout.fragment.identification == 0x0102_0304)
    }

    @Test func `every truncation is told`() {
        for (packet, headers) in [
            (Self.packet(17), 40), (Self.packet(0, Self.hopByHop + Self.routing + Self.fragment), 40),
        ] {
            for length in 0..<packet.count {
                let needed = length < 40 ? headers : packet.count
                #expect(Self.failure(Array(packet[..<length])) == .truncated(needed: needed, available: length))
            }
        }
    }

    @Test func `a chain that overruns the payload is told`() {
        // The payload length ends the packet within the chain, or a header claims more than there is.
        for length in 1...32 {
            var packet = Self.packet(0, Self.hopByHop + Self.routing + Self.fragment)
            packet[5] = UInt8(length)
            switch Self.failure(packet) {
            case .truncated?, .wrongUDPLength?: break
            case let other: Issue.record("\(length): \(String(describing: other))")
            }
        }
        var long = Self.packet(0, Self.hopByHop)
        long[41] = 255
        #expect(Self.failure(long) == .truncated(needed: 2048, available: 19))
    }

    @Test func `contradictions are told`() {
        var version = Self.packet(17)
        version[0] = 0x40
        #expect(Self.failure(version) == .wrongVersion(4))
        #expect(Self.failure(Self.packet(0, [], [])) == .jumbogram)
        let beyond: [UInt8] = [17, 0, 0xff, 0xf8, 0, 0, 0, 1]
        #expect(Self.failure(Self.packet(44, beyond)) == .fragmentBeyondLimit(end: 65_539))
    }

    @Test func `an endless chain is not walked to its end`() {
        let header: [UInt8] = [60, 0, 1, 4, 0, 0, 0, 0]
        let most = IPv6Layout.maximumExtensionHeaders
        let chain = Array(repeatElement(header, count: most - 1).joined()) + [17, 0, 1, 4, 0, 0, 0, 0]
        #expect(Self.failure(Self.packet(60, chain)) == nil)
        #expect(Self.failure(Self.packet(60, header + chain)) == .tooManyExtensionHeaders)
    }

    @Test func `a header behind the fragment header ends the walk`() throws {
        let layout = try IPv6Layout(Self.packet(44, [60, 0, 0, 1, 0, 0, 0, 1] + [17, 0, 1, 4, 0, 0, 0, 0]).span)
        #expect(layout.hasHeaderAfterFragment)
        #expect(layout.transport.kind == .opaque)
        #expect(layout.transport.offset == 48)
    }

    @Test func `kinds of transport are told apart`() throws {
        func kind(_ next: UInt8, _ transport: [UInt8]) throws -> TransportLayout.Kind {
            try IPv6Layout(Self.packet(next, [], transport).span).transport.kind
        }
        let rest = [UInt8](repeating: 0, count: 7)
        #expect(try kind(58, [128] + rest) == .icmpEcho)
        #expect(try kind(58, [129] + rest) == .icmpEcho)
        for type: UInt8 in 0...127 { #expect(try kind(58, [type] + rest) == .icmpError) }
        for type: UInt8 in 130...255 { #expect(try kind(58, [type] + rest) == .icmpOther) }
        #expect(try kind(1, [8] + rest) == .opaque, "the other family's ICMP is nothing that IPv6 knows")
        #expect(try kind(59, []) == .opaque)
        #expect(throws: WireError.truncated(needed: 8, available: 7)) { try kind(58, rest) }
    }
}
