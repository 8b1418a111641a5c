// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Testing
import Wire

@Suite("RFC 1035 §4: messages")
struct RFC1035Section4Tests {
    /// 2001:db8::53.53 > 2001:db8::1.40000: 4242 2/0/1 CNAME shop.test., A 198.51.100.10 (79)
    static let golden: [UInt8] = bytes(
        "1092 8180 0001 0002 0000 0001",  // id, flags qr rd ra, counts
        "03777777 0473686f70 0474657374 00 0001 0001",  // www.shop.test A IN
        "c00c 0005 0001 0000012c 0002 c010",  // www.shop.test CNAME shop.test
        "c010 0001 0001 0000003c 0004 c633640a",  // shop.test A 198.51.100.10
        "00 0029 04d0 00008000 0000"  // OPT, 1232, DO
    )

    @Test
    func `a message is read into its sections`() throws {
        let message = try readMessage(Self.golden)
        #expect(message.id == 0x1092)
        #expect(message.flags == [.response, .recursionDesired, .recursionAvailable])
        #expect(message.flags.description == "qr rd ra")
        #expect(message.responseCode == .noError)
        #expect(message.questions.map(\.description) == ["www.shop.test. IN A"])
        #expect(
            message.answer.map(\.description) == [
                "www.shop.test. 300 IN CNAME shop.test.", "shop.test. 60 IN A 198.51.100.10",
            ])
        #expect(message.authority.isEmpty && message.additional.isEmpty)
        #expect(message.edns == EDNS(udpPayloadSize: 1232, dnssecOK: true))
    }

    @Test
    func `a message that is read and written has the same octets, names compressed`() throws {
        #expect(try readMessage(Self.golden).encoded() == Self.golden)
    }

    @Test
    func `every type's data survives writing and reading, compressed or not`() throws {
        var message = Message(id: 1, flags: .response, questions: [Question(name: try DomainName("test"), type: .any)])
        message.answer = try [
            "test. 1 IN NS ns.test.", "test. 1 IN MX 5 mx.test.", "test. 1 IN SOA ns.test. who.test. 1 2 3 4 5",
            "d.test. 1 IN DNAME e.test.", "p.test. 1 IN PTR test.", "test. 1 IN SRV 1 2 3 ns.test.",
            "test. 1 IN HTTPS 1 ns.test. alpn=\"h2\"", "test. 1 IN TXT \"\"", "test. 1 IN AAAA ::1",
            "test. 1 IN TYPE999 \\# 3 010203", "a.a.a.test. 1 IN A 192.0.2.1", "test. 1 CH TYPE1 \\# 1 00",
        ].map { line in
            try line.hasSuffix("TYPE1 \\# 1 00")
                ? ResourceRecord(name: DomainName("test"), recordClass: .chaos, ttl: 1, data: .other(.a, [0]))
                : ResourceRecord(presentation: line, defaultTTL: 0)
        }
        message.authority = [message.answer[2]]
        message.additional = [message.answer[8]]
        #expect(try readMessage(message.encoded()) == message)
    }

    @Test
    func `a name is a pointer only to one of the same letters, so that case survives`() throws {
        var message = Message(id: 1, questions: [Question(name: try DomainName("SHOP.test"), type: .a)])
        message.answer = [try ResourceRecord(presentation: "shop.test. 1 IN A 192.0.2.1", defaultTTL: 0)]
        let read = try readMessage(message.encoded())
        #expect(read.questions[0].name.description == "SHOP.test.")
        #expect(read.answer[0].name.description == "shop.test.")
    }

    @Test
    func `names beyond the reach of pointers, and more names than are remembered, are still right`() throws {
        var message = Message(id: 1, flags: .response)
        message.answer = try (0..<1500).map {
            try ResourceRecord(presentation: "host\($0).zone\($0 % 100).test. 1 IN NS ns\($0).test.", defaultTTL: 0)
        }
        let encoded = message.encoded()
        #expect(encoded.count > 0x4000)
        #expect(try readMessage(encoded) == message)
    }

    @Test
    func `old software compressed the names in SRV data, and a reader expands them (RFC 3597 §4)`() throws {
        let message = try readMessage(
            bytes(
                "0001 8000 0001 0001 0000 0000", "0474657374 00 0021 0001",
                "c00c 0021 0001 00000001 0008 0001 0002 0003 c00c"
            ))
        #expect(message.answer[0].description == "test. 1 IN SRV 1 2 3 test.")
    }

    @Test
    func `a TTL with its highest bit set is zero (RFC 2181 §8)`() throws {
        let message = try readMessage(bytes("0001 8000 0000 0001 0000 0000", "00 0001 0001 80000001 0004 c0000201"))
        #expect(message.answer[0].ttl == 0)
    }

    @Test
    func `what does not fit is cut whole, with TC, and the question stays (RFC 2181 §9)`() throws {
        var message = Message(
            id: 9, flags: .response, questions: [Question(name: try DomainName("test"), type: .a)], edns: EDNS())
        message.answer = (0..<40).map {
            ResourceRecord(name: message.questions[0].name, ttl: 1, data: .a(IPv4Address(192, 0, 2, $0)))
        }
        let full = message.encoded()
        #expect(message.encoded(limit: full.count) == full)

        let cut = message.encoded(limit: full.count - 1)
        let read = try readMessage(cut)
        #expect(read.flags.contains(.truncated))
        #expect(read.answer.isEmpty && read.questions == message.questions && read.edns == message.edns)
    }

    @Test
    func `an additional section that does not fit is left out without TC`() throws {
        var message = Message(id: 9, flags: .response, edns: EDNS())
        message.answer = [ResourceRecord(name: .root, ttl: 1, data: .a(IPv4Address(192, 0, 2, 1)))]
        let small = message.encoded().count
        message.additional = Array(repeating: message.answer[0], count: 2)
        let read = try readMessage(message.encoded(limit: small + 20))
        #expect(!read.flags.contains(.truncated))
        #expect(read.answer.count == 1 && read.additional.isEmpty && read.edns != nil)
    }

    @Test
    func `opcodes and response codes keep to their bits`() {
        var flags: MessageFlags = [.response, .checkingDisabled]
        flags.opcode = .update
        #expect(flags.opcode == .update && flags.contains(.checkingDisabled))
        #expect(ResponseCode("nxdomain") == .nameError && ResponseCode("RCODE23")?.rawValue == 23)
        #expect(ResponseCode("nonsense") == nil && ResponseCode("RCODE4096") == nil)
        #expect(ResponseCode.badVersion.description == "BADVERS" && ResponseCode(rawValue: 99).description == "RCODE99")
    }
}

/// Octets from hexadecimal, grouped by field.
func bytes(_ groups: String...) -> [UInt8] {
    let digits = groups.joined().filter { $0 != " " }
    return stride(from: 0, to: digits.count, by: 2).map { offset in
        let start = digits.index(digits.startIndex, offsetBy: offset)
        return UInt8(digits[start...].prefix(2), radix: 16)!
    }
}

/// The message in octets. (A span cannot stand inside `#expect`.)
func readMessage(_ octets: [UInt8]) throws(MessageError) -> Message { try Message(octets.span) }
