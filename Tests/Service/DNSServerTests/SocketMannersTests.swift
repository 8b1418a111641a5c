// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSServer
import DNSWire
import Evidence
import LinuxNet
import Testing
import Translation
import Wire

/// Hostile and odd messages at a running server, over real sockets: each is answered or dropped as the RFCs say, and counted.
@Suite("Manners over sockets")
struct SocketMannersTests {
    private func service(_ limits: ServiceLimits = .init(), interfaces: [Int] = []) throws -> DNSService {
        let record = try ResourceRecord(presentation: "shop.test. 300 IN A 9.9.9.9", defaultTTL: 300)
        let service = try DNSService(
            ResolverConfiguration(
                store: RecordStore([record]), networks: [ServedNetwork(policy: SynthesisPolicy(prefix: .wellKnown))]),
            listeningOn: [SocketAddress(IPv4Address(127, 0, 0, 1), port: 0)], interfaces: interfaces,
            limits: limits)
        try service.start()
        return service
    }

    private static func good(_ id: UInt16 = 7) throws -> [UInt8] {
        try DNSClient.query("shop.test", .aaaa, id: id).encoded()
    }

    /// A header with this many questions, and what follows it.
    private static func message(flags: UInt16 = 0x0100, questions: UInt8 = 1, _ rest: [UInt8]) -> [UInt8] {
        [0, 1, UInt8(flags >> 8), UInt8(flags & 0xff), 0, questions, 0, 0, 0, 0, 0, 0] + rest
    }

    private static let question: [UInt8] = [1, 0x61, 0, 0, 28, 0, 1]

    struct Oddity: CustomTestStringConvertible {
        var testDescription: String
        var octets: [UInt8]
        /// Nil: nothing comes back.
        var code: ResponseCode?
        var reason: RefusedQuery
    }

    static let oddities: [Oddity] = [
        Oddity(
            testDescription: "a name that points to itself", octets: message([0xc0, 12, 0, 28, 0, 1]),
            code: .formatError, reason: .malformed),
        Oddity(
            testDescription: "two names that point to each other",
            octets: message([1, 0x61, 0xc0, 16, 0xc0, 14, 0, 1]), code: .formatError, reason: .malformed),
        Oddity(
            testDescription: "a name beyond 255 octets",
            octets: message(Array(repeatElement([63] + [UInt8](repeating: 0x61, count: 63), count: 5).joined()) + [0]),
            code: .formatError, reason: .malformed),
        Oddity(
            testDescription: "a label of a kind that does not exist", octets: message([0x80, 0, 0, 28, 0, 1]),
            code: .formatError, reason: .malformed),
        Oddity(
            testDescription: "more than any query needs", octets: message([UInt8](repeating: 0x3f, count: 5000)),
            code: .formatError, reason: .malformed),
        Oddity(
            testDescription: "two questions (RFC 9619)", octets: message(questions: 2, question + question),
            code: .formatError, reason: .questionCount),
        Oddity(
            testDescription: "no question", octets: message(questions: 0, []), code: .formatError,
            reason: .questionCount),
        Oddity(
            testDescription: "a response", octets: message(flags: 0x8180, question), code: nil, reason: .isResponse),
        Oddity(
            testDescription: "opcode NOTIFY", octets: message(flags: 0x2000, question), code: .notImplemented,
            reason: .unknownOpcode),
        Oddity(
            testDescription: "a zone transfer", octets: message([1, 0x61, 0, 0, 252, 0, 1]), code: .notImplemented,
            reason: .metaType),
        Oddity(testDescription: "half a header", octets: [0, 1, 1, 0, 0, 1], code: nil, reason: .noHeader),
        Oddity(testDescription: "nothing at all", octets: [], code: nil, reason: .noHeader),
    ]

    @Test(arguments: oddities)
    func `over UDP, and the next query is answered`(oddity: Oddity) throws {
        let service = try service()
        defer { service.stop() }
        let replies = try DNSClient(server: service.addresses[0])
            .exchange([oddity.octets, Self.good()], expecting: oddity.code == nil ? 1 : 2)
        #expect(replies.map(\.responseCode) == [oddity.code, .noError].compactMap(\.self))
        if let first = replies.first, oddity.code != nil {
            #expect(first.id == 1 && first.questions.count <= 1 && first.answer.isEmpty)
        }
        service.stop()
        #expect(service.counters.refusals == [oddity.reason: 1])
    }

    @Test(arguments: oddities)
    func `over TCP, and the connection goes on`(oddity: Oddity) throws {
        let service = try service()
        defer { service.stop() }
        var stream: [UInt8] = []
        StreamFraming.append(oddity.octets, to: &stream)
        StreamFraming.append(try Self.good(), to: &stream)
        let (replies, isClosed) = try DNSClient(server: service.addresses[0])
            .stream([stream], expecting: oddity.code == nil ? 1 : 2)
        #expect(replies.map(\.responseCode) == [oddity.code, .noError].compactMap(\.self))
        #expect(!isClosed)
        service.stop()
        #expect(service.counters.refusals == [oddity.reason: 1])
    }

    @Test
    func `what is not answered keeps no connection open that its client has finished`() throws {
        let service = try service()
        defer { service.stop() }
        service.faults = [try Fault(presentation: "gone.test drop")]
        var stream: [UInt8] = []
        StreamFraming.append(Self.message(flags: 0x8180, Self.question), to: &stream)
        StreamFraming.append(try DNSClient.query("gone.test", .a).encoded(), to: &stream)
        // Far sooner than an idle connection is closed.
        let (replies, isClosed) = try DNSClient(server: service.addresses[0])
            .stream([stream], expecting: 1, finishing: true)
        #expect(replies.isEmpty && isClosed)
    }

    @Test func `what comes in at an interface is answered from its own sockets`() throws {
        try #require(InterfaceBinding.isPermitted)
        let service = try service(interfaces: [InterfaceBinding.loopback])
        defer { service.stop() }
        let client = DNSClient(server: service.addresses[0])
        #expect(try client.exchange([Self.good()], expecting: 1).map(\.responseCode) == [.noError])
        var stream: [UInt8] = []
        StreamFraming.append(try Self.good(), to: &stream)
        #expect(try client.stream([stream], expecting: 1).0.map(\.responseCode) == [.noError])
    }

    @Test func `a client that takes more than its share is answered later, over both transports, and loses nothing`()
        throws
    {
        try #require(InterfaceBinding.isPermitted)
        var limits = ServiceLimits()
        limits.advance = .microseconds(1)
        let service = try service(limits, interfaces: [InterfaceBinding.loopback])
        defer { service.stop() }
        let client = DNSClient(server: service.addresses[0])
        for round in 0..<5 {
            let queries = try (0..<20).map { try DNSClient.query("n\($0).n\(round).test", .aaaa).encoded() }
            #expect(try client.exchange(queries, expecting: 20).count == 20)
            var stream: [UInt8] = []
            for query in queries { StreamFraming.append(query, to: &stream) }
            #expect(try client.stream([stream], expecting: 20).messages.count == 20)
        }
    }

    @Test func `a client that is followed has a log of its own, which others do not fill`() throws {
        var limits = ServiceLimits()
        limits.loggedQueries = 2
        let service = try service(limits)
        defer { service.stop() }
        let client = DNSClient(server: service.addresses[0])
        let own = service.follow([.ipv4(IPv4Address(127, 0, 0, 1))], since: .zero)
        let other = service.follow([.ipv4(IPv4Address(127, 0, 0, 2))], since: .zero)
        for number in 0..<5 {
            let query = try DNSClient.query("n\(number).test", .aaaa)
            _ = try client.exchange([query.encoded()], expecting: 1)
        }
        service.settle()
        let queries = try #require(service.queries(of: own))
        #expect(queries.questions.count == 5 && queries.lost == 0 && queries.excerpt.queries.count == 5)
        #expect(service.queries(of: other)?.questions.isEmpty == true)
        #expect(service.log.all.count == 2 && service.log.lost == 3)
        service.leave(own)
        #expect(service.queries(of: own) == nil)
    }

    @Test func `class CHAOS is refused (RFC 6147 §5_1)`() throws {
        let service = try service()
        defer { service.stop() }
        var query = try DNSClient.query("shop.test", .aaaa)
        query.questions[0].recordClass = try #require(RecordClass("CH"))
        let replies = try DNSClient(server: service.addresses[0]).exchange([query.encoded()], expecting: 1)
        #expect(replies.first?.answer.isEmpty == true && replies.first?.responseCode == .refused)
        service.stop()
        #expect(service.log.all.map(\.rule) == [.otherClass])
    }

    @Test
    func `connections are counted: taken, refused and timed out`() throws {
        var limits = ServiceLimits()
        limits.connectionsPerClient = 1
        limits.idleTime = .seconds(1)
        let service = try service(limits)
        defer { service.stop() }
        let first = try StreamSocket.connect(to: service.addresses[0])
        var epoll = try Epoll()
        try epoll.add(first.descriptor, .writable, token: 0)
        _ = epoll.wait(until: MonotonicClock.now() + .seconds(2))
        #expect(try DNSClient(server: service.addresses[0]).stream([[0]], expecting: 1).isClosed)
        try epoll.modify(first.descriptor, .readable, token: 0)
        let isTold = epoll.wait(until: MonotonicClock.now() + .seconds(10)) > 0
        #expect(isTold, "the idle connection is closed")
        service.stop()
        let counters = service.counters
        #expect(counters.connectionsAccepted == 1 && counters.connectionsRefused == 1)
        #expect(counters.connectionsTimedOut == 1)
    }
}
