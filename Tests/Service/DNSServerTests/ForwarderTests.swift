// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSServer
import DNSWire
import LinuxNet
import Testing
import Translation
import Wire

/// Forwarders that make mistakes, forge, are slow or are absent: over real sockets.
@Suite("Forwarders, over sockets") struct ForwarderTests {
    /// A service without its own records.
    private func service(
        _ servers: [SocketAddress], _ change: (inout ForwarderConfiguration) -> Void = { _ in }
    ) throws -> DNSService {
        var forwarders = ForwarderConfiguration(servers: servers.map { Endpoint($0) })
        forwarders.attemptTime = .milliseconds(200)
        change(&forwarders)
        var configuration = ResolverConfiguration(
            store: RecordStore([], zones: []), networks: [ServedNetwork(policy: .plain)])
        configuration.forwarders = forwarders
        let service = try DNSService(configuration, listeningOn: [SocketAddress(IPv6Address.loopback, port: 0)])
        try service.start()
        return service
    }

    private func ask(_ service: DNSService, _ name: String = "www.shop.test") throws -> Message {
        let replies = try DNSClient(server: service.addresses[0])
            .exchange([DNSClient.query(name, .a).encoded()], expecting: 1)
        return try #require(replies.first)
    }

    private static let right = "www.shop.test. 300 IN A 198.51.100.10"
    private static let rightData = RecordData.a(IPv4Address(198, 51, 100, 10))
    private static let forged = "www.shop.test. 300 IN A 203.0.113.66"
    private static let ipv4Loopback = SocketAddress(IPv4Address(127, 0, 0, 1), port: 0)

    /// Occupies a port without listening: the socket is connected to another peer, so datagrams from others are refused.
    private static func absent() throws -> DatagramSocket {
        try DatagramSocket(connectingTo: SocketAddress(IPv6Address.loopback, port: 9))
    }

    @Test func `RFC 5452 §9_2: ports, identifiers and letters are drawn for each question`() throws {
        let server = try HostileForwarder { [.send(try $0.answer())] }
        defer { server.stop() }
        let service = try service([server.address])
        defer { service.stop() }
        for number in 0..<64 { _ = try ask(service, "some-longer-name-\(number).shop.test") }
        let asked = server.asked
        #expect(asked.count == 64)
        // With 28,000 ports and 65,536 identifiers, two of 64 are sometimes the same, five hardly ever.
        #expect(Set(asked.map(\.port)).count > 60 && Set(asked.map(\.message.id)).count > 60)
        let spellings = asked.map { asked in asked.message.questions[0].name.wire.map { $0 & 0x20 } }
        #expect(Set(spellings).count > 60)
        #expect(asked.allSatisfy { $0.message.edns?.udpPayloadSize == 1232 && $0.message.flags == .recursionDesired })
    }

    @Test func `of many questions at a time each is answered, from one of many ports that are not used for long`()
        throws
    {
        let server = try HostileForwarder { asked in
            [.send(try asked.answer("\(asked.message.questions[0].name) 300 IN A 198.51.100.10"))]
        }
        defer { server.stop() }
        let service = try service([server.address])
        defer { service.stop() }
        let client = DNSClient(server: service.addresses[0])
        for turn in 0..<10 {
            let queries = try (0..<100).map { try DNSClient.query("n\(turn)-\($0).test", .a, id: UInt16($0)).encoded() }
            let replies = try client.exchange(queries, expecting: 100)
            #expect(replies.count == 100 && replies.allSatisfy { $0.answer.map(\.data) == [Self.rightData] })
            #expect(Set(replies.map(\.id)).count == 100)
            #expect(replies.allSatisfy { $0.questions[0].name.description == "n\(turn)-\($0.id).test." })
        }
        service.stop()
        let uses = Dictionary(grouping: server.asked.filter { !$0.isStream }, by: \.port).mapValues(\.count)
        // A slow machine has it ask again, and then one of the two answers is a stray.
        let repeated = server.asked.count - Set(server.asked.map { $0.message.questions[0].name }).count
        #expect(server.asked.count - repeated == 1000 && uses.count >= 64)
        // Two sockets have had the same port now and then.
        #expect(uses.values.filter { $0 <= 48 }.count >= uses.count - 2)
        #expect(service.counters.strays <= repeated)
    }

    @Test func `what comes to a port behind the answer has it closed`() throws {
        let server = try HostileForwarder { asked in
            let answer = try asked.answer("\(asked.message.questions[0].name) 300 IN A 198.51.100.10")
            return [.send(answer), .send(answer)]
        }
        defer { server.stop() }
        let service = try service([server.address])
        defer { service.stop() }
        // More than would be enough to choose from.
        for number in 0..<80 { #expect(try ask(service, "n\(number).test").answer.map(\.data) == [Self.rightData]) }
        service.stop()
        #expect(Set(server.asked.map(\.port)).count > 76 && service.counters.strays == 0)
    }

    @Test func `the servers are asked in turn`() throws {
        let servers = try [
            HostileForwarder { [.send(try $0.answer())] },
            HostileForwarder(Self.ipv4Loopback) { [.send(try $0.answer())] },
        ]
        defer { for server in servers { server.stop() } }
        let service = try service(servers.map(\.address))
        defer { service.stop() }
        for number in 0..<6 { _ = try ask(service, "name-\(number).test") }
        #expect(servers.map(\.asked.count) == [3, 3])
    }

    @Test func `what does not answer to the question is not believed, and the answer behind it is`() throws {
        let server = try HostileForwarder { asked in
            var otherIdentifier = try asked.answer(Self.forged)
            otherIdentifier.id &+= 1
            var otherQuestion = try asked.answer("evil.test. 300 IN A 203.0.113.66")
            otherQuestion.questions = [Question(name: try DomainName("evil.test"), type: .a)]
            var notAResponse = try asked.answer(Self.forged)
            notAResponse.flags.remove(.response)
            return [
                .send(otherIdentifier), .send(otherQuestion), .send(notAResponse), .sendOctets([1, 2, 3]),
                .sendFromElsewhere(try asked.answer(Self.forged)), .send(try asked.answer(Self.right)),
            ]
        }
        defer { server.stop() }
        let service = try service([server.address])
        defer { service.stop() }
        #expect(try ask(service).answer.map(\.data) == [Self.rightData])
        service.stop()
        // The datagram from elsewhere did not get through the connected socket.
        #expect(service.counters.strays == 4 && server.asked.count == 1)
    }

    @Test func `records that nobody asked for are left out`() throws {
        let server = try HostileForwarder { asked in
            var answer = try asked.answer(Self.right, "bank.test. 300 IN A 203.0.113.66")
            answer.additional = [try ResourceRecord(presentation: "bank.test. 300 IN A 203.0.113.66", defaultTTL: 1)]
            return [.send(answer)]
        }
        defer { server.stop() }
        let service = try service([server.address])
        defer { service.stop() }
        #expect(try ask(service).answer.map(\.data) == [Self.rightData])
        _ = try ask(service, "bank.test")
        #expect(server.asked.count == 2)
    }

    @Test func `an answer in other letters is asked for again over TCP, where nobody can forge`() throws {
        let server = try HostileForwarder { asked in
            var answer = try asked.answer(asked.isStream ? Self.right : Self.forged)
            if !asked.isStream { answer.questions[0].name = try DomainName("www.shop.test") }
            return [.send(answer)]
        }
        defer { server.stop() }
        let service = try service([server.address])
        defer { service.stop() }
        #expect(try ask(service).answer.map(\.data) == [Self.rightData])
        #expect(server.asked.map(\.isStream) == [false, true])
    }

    @Test(arguments: [true, false])
    func `a truncated answer is asked for over TCP, and of another server where that fails`(
        isListening: Bool
    ) throws {
        let server = try HostileForwarder(isListening: isListening) { asked in
            if asked.isStream { return [.hangUp] }
            var answer = try asked.answer()
            answer.flags.insert(.truncated)
            return [.send(answer)]
        }
        let other = try HostileForwarder { [.send(try $0.answer(Self.right))] }
        defer {
            server.stop()
            other.stop()
        }
        let service = try service([server.address, other.address])
        defer { service.stop() }
        #expect(try ask(service).answer.map(\.data) == [Self.rightData])
        #expect(server.asked.map(\.isStream) == (isListening ? [false, true] : [false]))
        #expect(other.asked.count == 1)
    }

    @Test func `who is silent is passed over, and everybody being silent is a failure`() throws {
        let silent = try HostileForwarder { _ in [] }
        let other = try HostileForwarder { [.send(try $0.answer(Self.right))] }
        defer {
            silent.stop()
            other.stop()
        }
        var service = try service([silent.address, other.address])
        #expect(try ask(service).answer.map(\.data) == [Self.rightData])
        service.stop()
        #expect(silent.asked.count == 1)

        service = try self.service([silent.address]) { $0.attemptTime = .milliseconds(50) }
        defer { service.stop() }
        let start = MonotonicClock.now()
        #expect(try ask(service).responseCode == .serverFailure)
        // RFC 9520 §3.1: one server is asked three times at most.
        #expect(MonotonicClock.now() - start >= .milliseconds(150))
        #expect(silent.asked.count == 1 + 3)
    }

    @Test func `where nobody listens the next one is asked at once`() throws {
        let absent = try Self.absent()
        let other = try HostileForwarder { [.send(try $0.answer(Self.right))] }
        defer { other.stop() }
        let service = try service([absent.localAddress, other.address]) { $0.attemptTime = .seconds(30) }
        defer { service.stop() }
        #expect(try ask(service).answer.map(\.data) == [Self.rightData])
    }

    @Test func `RFC 6891 §7: who does not know EDNS is asked without`() throws {
        let server = try HostileForwarder { asked in
            guard asked.message.edns != nil else { return [.send(try asked.answer(Self.right))] }
            return [.send(Message(id: asked.message.id, flags: .response, responseCode: .formatError))]
        }
        defer { server.stop() }
        let service = try service([server.address])
        defer { service.stop() }
        #expect(try ask(service).answer.map(\.data) == [Self.rightData])
        #expect(server.asked.map { $0.message.edns == nil } == [false, true])
    }

    @Test func `who fails is passed over, and the failure of all is passed on`() throws {
        let broken = try HostileForwarder { asked in
            var answer = try asked.answer()
            answer.responseCode = .refused
            return [.send(answer)]
        }
        let other = try HostileForwarder { [.send(try $0.answer(Self.right))] }
        defer {
            broken.stop()
            other.stop()
        }
        var service = try service([broken.address, other.address])
        #expect(try ask(service).answer.map(\.data) == [Self.rightData])
        service.stop()
        service = try self.service([broken.address])
        defer { service.stop() }
        #expect(try ask(service).responseCode == .refused)
        #expect(broken.asked.count == 1 + 3)
        // RFC 9520 §3.2: the failure is remembered.
        #expect(try ask(service).responseCode == .refused)
        #expect(broken.asked.count == 1 + 3)
        service.stop()
        let reasons = service.log.all.map { $0.reason?.description ?? "" }
        #expect(
            reasons == Array(repeating: "forwarder \(Endpoint(broken.address)) answered REFUSED (3 times)", count: 2))
    }

    @Test func `a forwarder that hangs up is named with what it did`() throws {
        let server = try HostileForwarder { asked in
            if asked.isStream { return [.hangUp] }
            var answer = try asked.answer()
            answer.flags.insert(.truncated)
            return [.send(answer)]
        }
        defer { server.stop() }
        let service = try service([server.address])
        defer { service.stop() }
        #expect(try ask(service).responseCode == .serverFailure)
        service.stop()
        let reason = try #require(service.log.all.last?.reason?.description)
        #expect(reason.hasPrefix("forwarder \(Endpoint(server.address)) closed the connection without an answer"))
    }

    @Test func `a forwarder at whose address nobody listens is named, too`() throws {
        let absent = try Self.absent()
        let address = absent.localAddress
        let service = try service([address])
        defer { service.stop() }
        #expect(try ask(service).responseCode == .serverFailure)
        service.stop()
        #expect(
            service.log.all.last?.reason
                == .forwarders(Array(repeating: ForwarderFailure(Endpoint(address), .unreachable), count: 3)))
    }

    @Test func `a forwarder to which no socket can be opened is named, too, and nobody waits for it`() throws {
        // A broadcast address, to which a socket without permission cannot connect.
        let address = SocketAddress(IPv4Address(255, 255, 255, 255), port: 53)
        let service = try service([address]) { $0.attemptTime = .seconds(30) }
        defer { service.stop() }
        #expect(try ask(service).responseCode == .serverFailure)
        service.stop()
        #expect(
            service.log.all.last?.reason
                == .forwarders(Array(repeating: ForwarderFailure(Endpoint(address), .unreachable), count: 3)))
    }

    @Test func `the same question of many clients is asked once (RFC 5452 §5)`() throws {
        let server = try HostileForwarder { asked in asked.number == 0 ? [] : [.send(try asked.answer(Self.right))] }
        defer { server.stop() }
        let service = try service([server.address])
        defer { service.stop() }
        let queries = try (1...20).map { try DNSClient.query("www.shop.test", .a, id: $0).encoded() }
        let replies = try DNSClient(server: service.addresses[0]).exchange(queries, expecting: 20)
        #expect(Set(replies.map(\.id)) == Set(1...20) && replies.allSatisfy { $0.answer.count == 1 })
        #expect(server.asked.count == 2)
    }
}
