// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Randomness
import Testing
import Wire

@Suite("The resolver's manners")
struct MannersTests {
    private static let client = Endpoint(.ipv6(IPv6Address("2001:db8::1")!), port: 40_000)

    private static func resolver() throws -> Resolver {
        let records = try (0..<100).map {
            try ResourceRecord(presentation: "many.test. 300 IN A 203.0.113.\($0)", defaultTTL: 300)
        }
        return Resolver(
            .init(store: RecordStore(records), networks: [ServedNetwork(policy: .test)]), random: SplitMix64(seed: 1))
    }

    private static func exchange(
        _ octets: [UInt8], over transport: Transport = .udp
    ) throws -> (reply: Message?, length: Int, record: QueryRecord?, refusals: [RefusedQuery: UInt64]) {
        var resolver = try resolver()
        var actions: [Resolver.Action] = []
        resolver.receive(octets.span, from: client, over: transport, ticket: 1, at: .zero, into: &actions)
        var reply: Message?
        var length = 0
        var record: QueryRecord?
        for action in actions {
            switch action {
            case .reply(let message, 1):
                reply = try Message(message.span)
                length = message.count
            case .reply: Issue.record("a reply to another ticket")
            case .forget(let ticket): #expect(ticket == 1)
            case .record(let line): record = line
            case .ask, .close: Issue.record("nobody else is to be asked")
            }
        }
        return (reply, length, record, resolver.refusals)
    }

    private static func query(_ name: String, _ type: RecordType, edns: EDNS? = EDNS()) throws -> Message {
        Message(
            id: 77, flags: .recursionDesired, questions: [Question(name: try DomainName(name), type: type)], edns: edns)
    }

    @Test
    func `an answer to a response is never given: two servers would talk for ever`() throws {
        var message = try Self.query("a.test", .a)
        message.flags.insert(.response)
        let result = try Self.exchange(message.encoded())
        #expect(result.reply == nil && result.record == nil)
        #expect(result.refusals == [.isResponse: 1])
    }

    @Test(arguments: 0..<12)
    func `what is too short for a header is dropped`(length: Int) throws {
        let result = try Self.exchange(Array(repeating: 0, count: length))
        #expect(result.reply == nil && result.refusals == [.noHeader: 1])
    }

    @Test(arguments: (1...15).map { Opcode(rawValue: $0) })
    func `opcodes other than QUERY are not implemented`(opcode: Opcode) throws {
        var message = try Self.query("a.test", .soa)
        message.flags.opcode = opcode
        let result = try Self.exchange(message.encoded())
        #expect(result.reply?.responseCode == .notImplemented)
        #expect(result.reply?.flags.opcode == opcode && result.reply?.id == 77)
        #expect(result.record?.refusal == .unknownOpcode)
    }

    @Test(arguments: [0, 2])
    func `no question, or more than one, is a format error (RFC 9619)`(count: Int) throws {
        var message = try Self.query("a.test", .a)
        message.questions = Array(repeating: message.questions[0], count: count)
        let result = try Self.exchange(message.encoded())
        #expect(result.reply?.responseCode == .formatError)
        #expect(result.refusals == [.questionCount: 1])
    }

    @Test
    func `a message that breaks off is a format error, answered to its identifier`() throws {
        let octets = try Self.query("a.test", .a).encoded()
        for length in 12..<octets.count {
            let result = try Self.exchange(Array(octets.prefix(length)))
            #expect(result.reply?.responseCode == .formatError && result.reply?.id == 77)
        }
    }

    @Test
    func `an EDNS version that is not known is answered with BADVERS and ours (RFC 6891 §6.1.3)`() throws {
        let result = try Self.exchange(Self.query("a.test", .a, edns: EDNS(version: 1)).encoded())
        #expect(result.reply?.responseCode == .badVersion)
        #expect(result.reply?.edns?.version == 0)
    }

    @Test
    func `OPT is answered with OPT, DO with DO, and nothing with nothing (RFC 6891 §7, RFC 3225 §3)`() throws {
        #expect(try Self.exchange(Self.query("a.test", .a, edns: nil).encoded()).reply?.edns == nil)
        let reply = try Self.exchange(Self.query("a.test", .a, edns: EDNS(dnssecOK: true)).encoded()).reply
        #expect(reply?.edns == EDNS(dnssecOK: true))
    }

    @Test(arguments: [RecordType.axfr, .ixfr, .opt])
    func `zone transfers and other meta-types are not implemented`(type: RecordType) throws {
        #expect(try Self.exchange(Self.query("a.test", type).encoded()).reply?.responseCode == .notImplemented)
    }

    @Test(arguments: [(nil, 512), (0, 512), (511, 512), (800, 800), (1232, 1232), (65_535, 1232)] as [(UInt16?, Int)])
    func `a UDP reply is no larger than client and server allow, and says so by TC (RFC 6891 §6.2.3, §6.2.5)`(
        offered: UInt16?, largest: Int
    ) throws {
        let query = try Self.query("many.test", .aaaa, edns: offered.map { EDNS(udpPayloadSize: $0) }).encoded()
        let result = try Self.exchange(query)
        #expect(result.length <= largest)
        #expect(result.reply?.flags.contains(.truncated) == true && result.record?.isTruncated == true)

        let overTCP = try Self.exchange(query, over: .tcp)
        #expect(overTCP.reply?.answer.count == 100 && overTCP.record?.isTruncated == false)
    }

    @Test
    func `the question comes back as it was asked, letter by letter`() throws {
        let reply = try Self.exchange(Self.query("MaNy.TeSt", .a).encoded(), over: .tcp).reply
        #expect(reply?.questions.first?.name.description == "MaNy.TeSt.")
    }

    @Test
    func `evidence says who asked what, and why it was answered so`() throws {
        let record = try #require(try Self.exchange(Self.query("many.test", .aaaa).encoded()).record)
        #expect(record.client == Self.client && record.transport == .udp && record.time == .zero)
        #expect(record.question?.description == "many.test. IN AAAA")
        #expect(record.synthesisedFrom.count == 100 && record.rule == .noAAAA && record.source == .world)
        #expect(record.description.contains("many.test. AAAA NOERROR [2001:db8:64::cb00:7100, "))
        #expect(record.description.hasSuffix("(RFC 6147 §5.1.6)"))
    }

    @Test
    func `the log keeps the latest and counts what it forgot`() throws {
        var log = QueryLog(capacity: 3)
        for second in 0..<5 {
            var record = try #require(try Self.exchange(Self.query("a.test", .a).encoded()).record)
            record.time = .zero + .seconds(second)
            log.append(record)
        }
        #expect(log.all.map(\.time) == [2, 3, 4].map { .zero + .seconds($0) })
        #expect(log.lost == 2)
    }
}
