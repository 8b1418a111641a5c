import DNS64
import DNSWire
import Testing

@Suite("Faults as text")
struct FaultPresentationTests {
    @Test("every effect can be ordered")
    func effects() throws {
        let effects: [(String, Fault.Effect)] = [
            ("rcode servfail", .responseCode(.serverFailure)), ("drop", .drop),
            ("delay 300ms", .delay(.milliseconds(300))),
            ("delay 2s", .delay(.seconds(2))), ("truncate", .truncate), ("wrong-id", .wrongIdentifier),
            ("answer AAAA 100::1", .answer([try RecordData(type: .aaaa, presentation: "100::1")])),
            ("answer MX 10 mail.test.", .answer([try RecordData(type: .mx, presentation: "10 mail.test.")])),
            ("mapped-aaaa", .mappedAAAA), ("cname-loop", .aliasLoop), ("ttl 5", .ttl(5)),
            ("ede 22", .extendedError(ExtendedError(infoCode: 22))),
        ]
        for (text, effect) in effects {
            #expect(try Fault(presentation: "any any any any \(text)") == Fault(.init(), effect))
        }
    }

    @Test("a pattern has a name, a type, a transport and numbers")
    func pattern() throws {
        let pattern = Fault.Pattern(name: try DomainName("*.a.test"), type: .aaaa, transport: .tcp, numbers: 2...3)
        #expect(try Fault(presentation: "*.a.test  aaaa tcp 2-3 drop") == Fault(pattern, .drop))
        #expect(try Fault(presentation: "any any any 4 drop").pattern.numbers == 4...4)
    }

    @Test(
        "what is no fault says what would be one",
        arguments: [
            "", "any any any drop", "a..b any any any drop", "any FOO any any drop", "any any icmp any drop",
            "any any any 0 drop", "any any any 3-2 drop", "any any any 1-2-3 drop", "any any any any explode",
            "any any any any delay 3", "any any any any rcode", "any any any any answer AAAA 192.0.2.1",
            "any any any any answer",
            "any any any any ttl -1",
        ])
    func refusals(text: String) throws {
        let error = try #require(throws: FaultError.self) { try Fault(presentation: text) }
        #expect(!error.description.isEmpty)
    }
}
