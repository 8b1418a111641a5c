// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSServer
import DNSWire
import LinuxNet
import Synchronization
import Testing
import Translation
import Wire

@Suite("The DNS service")
struct DNSServiceTests {
    private static let loopback: [SocketAddress] = [
        SocketAddress(IPv6Address.loopback, port: 0), SocketAddress(IPv4Address(127, 0, 0, 1), port: 0),
    ]

    private static func configuration(_ policy: SynthesisPolicy = .init(prefix: .wellKnown)) throws
        -> ResolverConfiguration
    {
        var policy = policy
        policy.exemptIPv4 = [IPv4Prefix("198.51.100.0/24")!]
        let records =
            try ["shop.test. 300 IN A 198.51.100.10"].map {
                try ResourceRecord(presentation: $0, defaultTTL: 300)
            }
            + (0..<100).map {
                try ResourceRecord(presentation: "many.test. 300 IN A 198.51.100.\($0)", defaultTTL: 300)
            }
        return ResolverConfiguration(store: RecordStore(records), networks: [ServedNetwork(policy: policy)])
    }

    private static let synthesised = IPv6Address("64:ff9b::c633:640a")!

    private func service(_ limits: ServiceLimits = .init()) throws -> DNSService {
        let service = try DNSService(Self.configuration(), listeningOn: Self.loopback, limits: limits)
        try service.start()
        return service
    }

    @Test(arguments: [0, 1])
    func `a query over UDP is answered from the address that was asked, over either family`(family: Int) throws {
        let service = try service()
        defer { service.stop() }
        let replies = try DNSClient(server: service.addresses[family])
            .exchange([DNSClient.query("shop.test", .aaaa, id: 7).encoded()], expecting: 1)
        #expect(replies.map(\.id) == [7])
        #expect(replies.first?.answer.map(\.data) == [.aaaa(Self.synthesised)])
    }

    @Test
    func `more queries than a batch holds are all answered`() throws {
        let service = try service()
        defer { service.stop() }
        let queries = try (0..<200).map { try DNSClient.query("shop.test", .aaaa, id: $0).encoded() }
        let replies = try DNSClient(server: service.addresses[0]).exchange(queries, expecting: 200)
        #expect(Set(replies.map(\.id)) == Set(0..<200))
    }

    @Test
    func `several queries on one TCP connection are answered, also where one arrives in pieces (RFC 7766 §6.2.1)`()
        throws
    {
        let service = try service()
        defer { service.stop() }
        var stream: [UInt8] = []
        for id in 1...5 {
            StreamFraming.append(try DNSClient.query("shop.test", .aaaa, id: UInt16(id)).encoded(), to: &stream)
        }
        let (messages, isClosed) = try DNSClient(server: service.addresses[0])
            .stream([Array(stream[..<1]), Array(stream[1..<40]), Array(stream[40...])], expecting: 5)
        #expect(messages.map(\.id) == [1, 2, 3, 4, 5])
        #expect(!isClosed)
    }

    @Test
    func `an answer too large for UDP is truncated there, and whole over TCP`() throws {
        let service = try service()
        defer { service.stop() }
        let query = try DNSClient.query("many.test", .aaaa).encoded()
        let client = DNSClient(server: service.addresses[0])
        let overUDP = try client.exchange([query], expecting: 1)
        #expect(overUDP.first?.flags.contains(.truncated) == true && overUDP.first?.answer.isEmpty == true)

        var stream: [UInt8] = []
        StreamFraming.append(query, to: &stream)
        let overTCP = try client.stream([stream], expecting: 1).messages
        #expect(overTCP.first?.answer.count == 100)
    }

    @Test
    func `an idle connection is closed`() throws {
        var limits = ServiceLimits()
        limits.idleTime = .milliseconds(50)
        let service = try service(limits)
        defer { service.stop() }
        let (messages, isClosed) = try DNSClient(server: service.addresses[0]).stream([[0]], expecting: 1)
        #expect(messages.isEmpty && isClosed)
    }

    @Test
    func `beyond the limit a connection is closed at once`() throws {
        var limits = ServiceLimits()
        limits.connectionsPerClient = 0
        let service = try service(limits)
        defer { service.stop() }
        var stream: [UInt8] = []
        StreamFraming.append(try DNSClient.query("shop.test", .aaaa).encoded(), to: &stream)
        #expect(try DNSClient(server: service.addresses[0]).stream([stream], expecting: 1).messages.isEmpty)
    }

    @Test
    func `noise is dropped or refused, counted, and keeps nobody from being answered`() throws {
        let service = try service()
        defer { service.stop() }
        let response = try Message(id: 9, flags: .response, questions: DNSClient.query("shop.test", .a).questions)
            .encoded()
        let good = try DNSClient.query("shop.test", .aaaa, id: 3).encoded()
        let replies = try DNSClient(server: service.addresses[0])
            .exchange([[], [1, 2, 3], response, Array(good.dropLast(5)), good], expecting: 2)
        #expect(replies.map(\.responseCode) == [.formatError, .noError])
        service.stop()
        #expect(service.counters.refusals == [.noHeader: 2, .isResponse: 1, .malformed: 1])
    }

    @Test
    func `who asks without taking replies is kept waiting, and gets every one in the end`() throws {
        var limits = ServiceLimits()
        limits.unreadOctets = 4096
        let service = try service(limits)
        defer { service.stop() }
        // 400 replies of about 2,800 octets each, from one piece of queries.
        var stream: [UInt8] = []
        for id in 0..<400 {
            StreamFraming.append(try DNSClient.query("many.test", .aaaa, id: UInt16(id)).encoded(), to: &stream)
        }
        let messages = try DNSClient(server: service.addresses[0]).stream([stream], expecting: 400).messages
        #expect(messages.map(\.id) == Array(0..<400))
    }

    @Test
    func `refusals that leave no record are counted all the same`() throws {
        let service = try service()
        defer { service.stop() }
        _ = try DNSClient(server: service.addresses[0]).exchange([[1, 2, 3]], expecting: 0)
        service.stop()
        #expect(service.counters.refusals == [.noHeader: 1])
    }

    @Test
    func `every query leaves a record, and the networks can be changed while it runs`() throws {
        let service = try service()
        defer { service.stop() }
        let client = DNSClient(server: service.addresses[0])
        let query = try DNSClient.query("shop.test", .aaaa).encoded()
        _ = try client.exchange([query], expecting: 1)
        service.networks = [ServedNetwork(policy: .plain)]
        #expect(try client.exchange([query], expecting: 1).first?.answer.isEmpty == true)
        service.stop()

        let log = service.log
        #expect(log.all.map(\.rule) == [.noAAAA, .plain])
        #expect(log.all.first?.synthesisedFrom == [IPv4Address(198, 51, 100, 10)])
        #expect(log.all.first?.transport == .udp && log.lost == 0)
        #expect(log.all.first?.client.address == .ipv6(.loopback))
    }

    @Test(arguments: [0, 1])
    func `what the world does not know is asked of a forwarder, over TCP where it is too large`(family: Int) throws {
        var upstreamConfiguration = try Self.configuration(.plain)
        upstreamConfiguration.largestUDPResponse = 512
        let upstream = try DNSService(upstreamConfiguration, listeningOn: Self.loopback)
        try upstream.start()
        defer { upstream.stop() }
        var configuration = try Self.configuration()
        configuration.store = RecordStore([], zones: [])
        configuration.forwarders = ForwarderConfiguration(servers: [Endpoint(upstream.addresses[family])])
        configuration.largestUDPResponse = 4096
        let service = try DNSService(configuration, listeningOn: Self.loopback)
        try service.start()
        defer { service.stop() }

        let client = DNSClient(server: service.addresses[0])
        let small = try client.exchange([DNSClient.query("shop.test", .aaaa).encoded()], expecting: 1)
        #expect(small.first?.answer.map(\.data) == [.aaaa(Self.synthesised)])
        var stream: [UInt8] = []
        StreamFraming.append(try DNSClient.query("many.test", .aaaa).encoded(), to: &stream)
        #expect(try client.stream([stream], expecting: 1).messages.first?.answer.count == 100)

        upstream.stop()
        let transports = upstream.log.all.map { "\($0.question?.type ?? .any) \($0.transport)" }
        #expect(transports == ["AAAA udp", "A udp", "AAAA udp", "A udp", "A tcp"])
    }

    @Test
    func `faults can be changed while it runs, and a reply can be late`() throws {
        let service = try service()
        defer { service.stop() }
        let client = DNSClient(server: service.addresses[0])
        let query = try DNSClient.query("shop.test", .aaaa).encoded()
        service.faults = [Fault(.init(), .delay(.milliseconds(30)))]
        let start = MonotonicClock.now()
        #expect(try client.exchange([query], expecting: 1).first?.answer.isEmpty == false)
        #expect(MonotonicClock.now() - start >= .milliseconds(30))
        var stream: [UInt8] = []
        StreamFraming.append(query, to: &stream)
        #expect(try client.stream([stream], expecting: 1).messages.count == 1)

        service.faults = [Fault(.init(), .responseCode(.refused))]
        #expect(try client.exchange([query], expecting: 1).first?.responseCode == .refused)
        service.faults = []
        #expect(try client.exchange([query], expecting: 1).first?.responseCode == .noError)
    }

    @Test
    func `one fault is added or removed without touching the others, and what happened is counted`() throws {
        let service = try service()
        defer { service.stop() }
        let client = DNSClient(server: service.addresses[0])
        let query = try DNSClient.query("shop.test", .aaaa).encoded()
        let second = try Fault(presentation: "shop.test 2 rcode REFUSED")
        service.changeFaults { $0.append(second) }
        #expect(try client.exchange([query], expecting: 1).first?.responseCode == .noError)
        let ttl = try Fault(presentation: "AAAA ttl 7")
        service.changeFaults { $0.append(ttl) }
        // It was counted before the other came.
        #expect(try client.exchange([query], expecting: 1).first?.responseCode == .refused)
        service.changeFaults { $0.removeAll { $0 == second } }
        #expect(try client.exchange([query], expecting: 1).first?.answer.map(\.ttl) == [7])
        service.stop()
        #expect(service.faults == [ttl])
        #expect(service.faultCounts.map(\.fault) == [ttl] && service.faultCounts.map(\.happened) == [2])
        #expect(service.log.all.map { $0.faults.map(\.description) } == [[], ["rcode REFUSED", "ttl 7"], ["ttl 7"]])
        #expect(service.counters.faulty == 2 && service.counters.queries == [.udp: 3])
    }

    @Test
    func `a follower gets every record in its order, the last ones when it is stopped`() throws {
        let service = try service()
        let followed = Mutex<[UInt16]>([])
        let follower = try DNSLogFollower(service) { excerpt in
            followed.withLock { $0 += excerpt.records.map { $0.client.port } }
        }
        let client = DNSClient(server: service.addresses[0])
        for _ in 0..<5 { _ = try client.exchange([DNSClient.query("shop.test", .a).encoded()], expecting: 1) }
        service.stop()
        follower.stop()
        #expect(followed.withLock { $0 } == service.log.all.map(\.client.port))
        #expect(service.nextQuery == 6)
    }

    @Test
    func `after stop the port is free, and stopping again does no harm`() throws {
        let service = try service()
        service.stop()
        service.stop()
        let second = try DNSService(Self.configuration(), listeningOn: service.addresses)
        #expect(second.addresses == service.addresses)
    }

    @Test
    func `an address that is not ours is refused at once`() throws {
        #expect(throws: SystemError.self) {
            try DNSService(
                Self.configuration(), listeningOn: [SocketAddress(IPv6Address("2001:db8::1")!, port: 0)])
        }
    }
}
