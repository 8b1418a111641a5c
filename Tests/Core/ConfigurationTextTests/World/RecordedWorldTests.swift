// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import Testing
import Wire

@testable import ConfigurationText

private func recorded(_ questions: [RepeatedQuery], _ flows: [Flow] = []) -> RecordedWorld {
    var seen = NetworkEvidence()
    seen.questions = questions
    seen.flows = flows
    return RecordedWorld(seen)
}

/// A question, and the answer as lines of a zone file.
private func answer(
    _ name: String, _ type: RecordType, _ lines: String..., code: ResponseCode = .noError
) throws -> RepeatedQuery {
    let client = Endpoint(IPAddress("2e00:2:0:1::c0:100")!, port: 40000)
    var query = QueryRecord(
        time: .zero, client: client, transport: .udp, question: Question(name: try DomainName(name), type: type),
        responseCode: code, source: .world, rule: .noAAAA)
    query.answer = try lines.map { try ResourceRecord(presentation: $0, defaultTTL: 60) }
    return try #require(RepeatedQuery(query))
}

private func flow(_ transport: Flow.Transport, _ remote: String, _ port: UInt16, isAnswered: Bool = true) -> Flow {
    var flow = Flow(transport: transport, remote: IPAddress(remote)!, port: port, route: .direct)
    flow.bytesReceived = isAnswered ? 1 : 0
    return flow
}

struct `A recorded world` {
    @Test func `has the names and ports of a run`() throws {
        let world = recorded(
            [
                try answer("www.shop.example", .a, "www.shop.example CNAME shop.example", "shop.example A 203.0.113.5"),
                try answer(
                    "www.shop.example", .aaaa, "www.shop.example CNAME shop.example",
                    "shop.example AAAA 2e00:2:0:cafe::5"),
                try answer("shop.example", .mx, "shop.example MX 10 mail.shop.example"),
                try answer("gone.example", .a, code: .nameError),
            ],
            [
                flow(.tcp, "203.0.113.5", 443), flow(.tcp, "2e00:2:0:cafe::5", 5432), flow(.udp, "203.0.113.9", 123),
                flow(.tcp, "203.0.113.9", 853),
            ])
        let text = world.text(recordedFrom: "./shop fetch\nversion: 2")
        #expect(
            text == """
                # Recorded by ipv6check from: ./shop fetch\u{fffd}version: 2
                version: 1

                hosts:
                  shop.example:
                    addresses: [203.0.113.5, 2e00:2:0:cafe::5]
                    services:
                      - https: 443
                      - tcp-echo: 5432    # a stand-in: it sends back what comes; a program can answer (run:)
                  host-203-0-113-9.recorded.test:    # the client had this address, and no name
                    addresses: [203.0.113.9]
                    services:
                      - udp-echo: 123    # a stand-in: it sends back what comes; a program can answer (run:)
                      - dot: 853

                records:
                  - 'www.shop.example. CNAME shop.example.'
                  - 'shop.example. MX 10 mail.shop.example.'

                # Asked for, and not there:
                #   gone.example.

                """)
        #expect(complaints(text) == [])
        #expect(world.summary == "2 hosts, 4 services, 2 further records")
        #expect(try ConfigurationTextTests.world(text).services.count == 6)
    }

    @Test func `leaves out what a world cannot have, and says so`() throws {
        let world = recorded(
            [
                try answer(
                    "a.example", .a, "a.example A 192.0.2.1", "a.example A 127.0.0.1", "a.example A 203.0.113.1"),
                try answer(
                    "a.example", .a, "a.example RRSIG A 13 2 300 20300101000000 20200101000000 1 a.example. AAAA"),
            ],
            [
                flow(.tcp, "192.0.2.1", 80), flow(.udp, "203.0.113.1", 53), flow(.udp, "203.0.113.1", 443),
                flow(.tcp, "203.0.113.2", 80, isAnswered: false), flow(.icmp, "203.0.113.3", 0),
            ])
        let text = world.text(recordedFrom: "x")
        #expect(complaints(text) == [])
        #expect(world.records.isEmpty)
        #expect(world.hosts.map(\.services.count) == [0, 0])
        for what in ["a.example. at 192.0.2.1", "a.example. at 127.0.0.1", "192.0.2.1 tcp/80", "udp/53", "udp/443"] {
            #expect(text.contains("#   \(what)") || text.contains(what), Comment(rawValue: what))
        }
    }

    @Test(arguments: [
        "a'b.example", "*.example", "true", "1", "a\\010b.example", "a: b.example", "#.example", "-.example",
        "\\000.example",
        "\"q\".example", "a\\.b.example", "&x.example", "!x.example", "[x].example", "null", "~",
    ])
    func `can be read again, whatever names there are`(name: String) throws {
        let name = try DomainName(name)
        let world = recorded(
            [
                try answer("\(name)", .a, "\(name) A 203.0.113.1"),
                try answer("\(name)", .txt, "\(name) TXT \"it's: # a\""),
            ],
            [flow(.tcp, "203.0.113.1", 80)])
        let read = try ConfigurationTextTests.world(world.text(recordedFrom: "x"))
        #expect(read.hosts.map { $0.name } == [name])
        #expect(read.services.count == 1)
    }

    @Test func `of a run that asked for nothing is an empty world`() throws {
        let world = recorded([])
        #expect(world.isEmpty)
        #expect(complaints(world.text(recordedFrom: "true")) == [])
    }

    @Test func `is no larger than a world may be`() throws {
        let flows = (1...3_000).map { flow(.tcp, "203.0.113.1", UInt16($0)) }
        let text = recorded([], flows).text(recordedFrom: "x")
        #expect(complaints(text) == [])
        #expect(text.contains("more services than a world has"))
    }
}
