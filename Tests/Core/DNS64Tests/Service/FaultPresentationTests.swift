// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Testing

@Suite("Faults as text")
struct FaultPresentationTests {
    @Test
    func `every effect can be ordered, and is written as it is read`() throws {
        let effects: [(String, Fault.Effect)] = [
            ("rcode SERVFAIL", .responseCode(.serverFailure)), ("drop", .drop),
            ("delay 300ms", .delay(.milliseconds(300))), ("delay 2s", .delay(.seconds(2))), ("truncate", .truncate),
            ("wrong-id", .wrongIdentifier),
            ("answer AAAA 100::1", .answer([try RecordData(type: .aaaa, presentation: "100::1")])),
            ("answer MX 10 mail.test.", .answer([try RecordData(type: .mx, presentation: "10 mail.test.")])),
            ("mapped-aaaa", .mappedAAAA), ("cname-loop", .aliasLoop), ("ttl 5", .ttl(5)),
            ("ede 22", .extendedError(ExtendedError(infoCode: 22))),
        ]
        for (text, effect) in effects {
            for pattern in ["", "any ", "any any any any "] {
                let fault = try Fault(presentation: pattern + text)
                #expect(fault == Fault(.init(), effect))
                #expect(fault.description == "any \(text)")
            }
        }
        #expect(try Fault(presentation: "rcode nxdomain").effect == .responseCode(.nameError))
    }

    @Test
    func `a pattern has a name, a type, a transport and numbers, each of which may be missing`() throws {
        let name = try DomainName("*.a.test")
        let patterns: [(String, Fault.Pattern)] = [
            ("*.a.test. AAAA tcp 2-3", .init(name: name, type: .aaaa, transport: .tcp, numbers: 2...3)),
            ("*.a.test.", .init(name: name)), ("AAAA", .init(type: .aaaa)), ("udp", .init(transport: .udp)),
            ("4", .init(numbers: 4...4)), ("4-", .init(numbers: 4...Int.max)),
            ("*.a.test. 1-2", .init(name: name, numbers: 1...2)),
            // A word that looks like a type is one, unless it ends with a dot.
            ("a. A", .init(name: try DomainName("a"), type: .a)),
        ]
        for (text, pattern) in patterns {
            let fault = try Fault(presentation: text + " drop")
            #expect(fault.pattern == pattern)
            #expect(fault.description == text + " drop")
        }
        #expect(try Fault(presentation: "*.a.test\taaaa  any 2 drop").pattern.numbers == 2...2)
    }

    @Test(arguments: [
        ("", "a fault is [NAME] [TYPE]"), ("shop.test", "a fault is [NAME] [TYPE]"),
        ("a..b drop", "\"a..b\" is no domain name"), ("any FOO drop", "\"FOO\" does not belong"),
        ("a.test icmp drop", "\"icmp\" does not belong"), ("0 drop", "expected numbers of queries"),
        ("3-2 drop", "expected numbers"), ("1-2-3 drop", "expected numbers"), ("- drop", "expected numbers"),
        ("99999999999999999999 drop", "expected numbers"), ("a.test explode", "\"explode\" does not belong"),
        ("a.test AAAA AAAA drop", "\"AAAA\" does not belong"), ("delay 3", "expected a time"),
        ("rcode", "ends too early: expected a response code"), ("drop it", "expected nothing behind drop"),
        ("answer AAAA 192.0.2.1", "AAAA"), ("answer", "ends too early"), ("ttl -1", "expected a TTL"),
    ])
    func `what is no fault says what would be one`(text: String, message: String) throws {
        let error = try #require(throws: FaultError.self) { try Fault(presentation: text) }
        #expect(error.description.contains(message), Comment(rawValue: error.description))
    }
}
