// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Randomness
import Testing

@Suite("The message reader on hostile octets")
struct MessageReaderTests {
    private static let query = "0001 0100 0001 0000 0000 0000"

    @Test
    func `every truncated length of a real message is refused, and none traps`() {
        for length in 0..<RFC1035Section4Tests.golden.count {
            #expect(throws: MessageError.self) { try readMessage(Array(RFC1035Section4Tests.golden.prefix(length))) }
        }
    }

    @Test
    func `a header that is cut says what it lacks`() {
        #expect(throws: MessageError.truncated(needed: 12, available: 3)) { try readMessage([1, 2, 3]) }
        #expect(throws: MessageError.truncated(needed: 12, available: 0)) { try readMessage([]) }
    }

    @Test
    func `a pointer to itself or forwards is refused (RFC 1035 §4.1.4)`() {
        let toItself = bytes(Self.query, "c00c 0001 0001")
        #expect(throws: MessageError.forwardPointer(at: 12, target: 12)) { try readMessage(toItself) }
        let forwards = bytes(Self.query, "c00e 00 0001 0001")
        #expect(throws: MessageError.forwardPointer(at: 12, target: 14)) { try readMessage(forwards) }
        // A label, then a pointer to that label: it would be read again and again.
        let loop = bytes(Self.query, "0161 c00c 0001 0001")
        #expect(throws: MessageError.forwardPointer(at: 14, target: 12)) { try readMessage(loop) }
    }

    @Test(arguments: ["40", "80", "bf"])
    func `labels of the reserved kinds are refused`(octet: String) {
        #expect(throws: MessageError.reservedLabel(at: 12)) {
            try readMessage(bytes(Self.query, octet, "00 0001 0001"))
        }
    }

    @Test
    func `a name that pointers make longer than 255 octets is refused`() {
        // Each record's name is one label of 63 octets and a pointer to the name before.
        var message = bytes("0001 8000 0000 0005 0000 0000")
        var previous: Int?
        for _ in 0..<5 {
            let start = message.count
            message += [63] + Array(repeating: 0x61, count: 63)
            message += previous.map { [0xc0 | UInt8($0 >> 8), UInt8($0 & 0xff)] } ?? [0]
            message += bytes("0001 0001 00000000 0004 c0000201")
            previous = start
        }
        #expect(throws: MessageError.nameTooLong(at: 251)) { try readMessage(message) }
    }

    @Test
    func `a chain of pointers to pointers ends after as many as a name can have labels`() {
        // Opaque data full of pointers, each to the one before; then a name that enters the chain at its end.
        var message = bytes("0001 8000 0000 0002 0000 0000", "00 ff00 0001 00000000 0200", "00 00")
        for index in 1..<256 {
            let target = 23 + (index - 1) * 2
            message += [0xc0 | UInt8(target >> 8), UInt8(target & 0xff)]
        }
        message += bytes("c215", "0001 0001 00000000 0004 c0000201")
        #expect(throws: MessageError.tooManyPointers(at: 535)) { try readMessage(message) }
    }

    @Test(arguments: [
        (RecordType.a, "0003 c00002"), (.a, "0005 c000020100"), (.aaaa, "0004 c0000201"), (.cname, "0002 00 00"),
        (.mx, "0002 0001"), (.soa, "0002 00 00"),
    ])
    func `data that is shorter or longer than its type's is refused`(type: RecordType, data: String) {
        var message = bytes("0001 8000 0000 0001 0000 0000", "00") + [0, UInt8(type.rawValue)]
        message += bytes("0001 00000001", data)
        #expect(throws: MessageError.self) { try readMessage(message) }
    }

    @Test
    func `counts that promise more records than there are octets are refused`() {
        #expect(throws: MessageError.truncated(needed: 1, available: 0)) {
            try readMessage(bytes("0001 0100 ffff ffff ffff ffff"))
        }
    }

    @Test
    func `no mutation of a message traps, and what is read can be written and read again`() throws {
        var random = SplitMix64(seed: 0x1092)
        let samples = [RFC1035Section4Tests.golden, try Self.richMessage()]
        for round in 0..<5_000 {
            var message = samples[round % samples.count]
            for _ in 0...Int.random(in: 0..<6, using: &random) {
                message[Int.random(in: 0..<message.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if round % 5 == 0 { message.removeLast(Int.random(in: 0..<message.count, using: &random)) }
            guard let read = try? readMessage(message) else { continue }
            let again = try? readMessage(read.encoded())
            // Only what no longer fits without compression may differ.
            #expect(again == read || again?.flags.contains(.truncated) == true)
            for record in read.answer { #expect(!record.description.isEmpty) }
        }
    }

    private static func richMessage() throws -> [UInt8] {
        var message = Message(
            id: 7, flags: .response, questions: [Question(name: try DomainName("a.test"), type: .any)])
        message.answer = try [
            "a.test. 1 IN HTTPS 1 . alpn=\"h2,h3\" port=443 ipv6hint=2001:db8::1 mandatory=alpn",
            "a.test. 1 IN NSEC b.test. A MX",
            "a.test. 1 IN SRV 1 2 3 b.test.", "a.test. 1 IN NAPTR 1 2 \"s\" \"t\" \"\" b.test.",
            "a.test. 1 IN CAA 0 \"issue\" \"x\"",
            "a.test. 1 IN RRSIG A 5 3 86400 20030322173103 20030220173103 2642 test. oJB1",
            "a.test. 1 IN TXT \"x\" \"y\"",
            "a.test. 1 IN NSEC3 1 1 12 AABB 2T7B4G4VSA5SMI47K61MV5BV1A22BOJR MX", "a.test. 1 IN SOA a. b. 1 2 3 4 5",
        ].map { try ResourceRecord(presentation: $0, defaultTTL: 0) }
        message.edns = EDNS(options: [EDNSOption(code: 10, data: [1, 2])])
        return message.encoded()
    }
}
