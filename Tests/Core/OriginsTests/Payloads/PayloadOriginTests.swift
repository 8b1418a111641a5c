// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Evidence
import EvidenceSupport
import Testing
import Translation
import Wire

@testable import Origins

@Suite struct PayloadOriginTests {
    private static let api: IPAddress = "64:ff9b::c633:641f"

    private static func conversation(
        _ received: String, sent: String = "", transport: Flow.Transport = .tcp, time: Duration = .seconds(1)
    ) -> Conversation {
        conversation(Array(received.utf8), sent: sent, transport: transport, time: time)
    }

    private static func conversation(
        _ received: [UInt8], sent: String = "", transport: Flow.Transport = .tcp, time: Duration = .seconds(1)
    ) -> Conversation {
        var conversation = Conversation(transport: transport, remote: api, port: 80, localPort: 4000)
        conversation.sent.octets = Octets(Array(sent.utf8))
        conversation.received.octets = Octets(received)
        conversation.received.pieces = [Conversation.Stream.Piece(offset: 0, time: time)]
        return conversation
    }

    /// The origin of 198.51.100.31, to which the client connects after two seconds.
    private func origin(of conversation: Conversation) throws -> AddressOrigin? {
        var run = RunEvidence(network: .nat64, end: .exited(status: 1), duration: .seconds(3))
        run.calls = CallEvidence([TracedCall(.connect, to: "198.51.100.31", 80, time: .seconds(2))])
        var finder = try #require(OriginFinder(run, prefixes: [.wellKnown]))
        finder.search(conversation, of: "api.test")
        finder.complete(&run)
        return run.calls?.calls[0].origin
    }

    private func place(_ conversation: Conversation) throws -> ReceivedLocation? {
        guard case .payload(let place)? = try origin(of: conversation)?.place else { return nil }
        return place
    }

    private static let request = "GET /list.json HTTP/1.1\r\nHost: api.test\r\n\r\n"

    @Test func `an address in a JSON answer is told by its path`() throws {
        let body = #"{"peers": [{"ip": "192.0.2.1"}, {"a": [1, 2], "ip": "198.51.100.31"}]}"#
        let place = try place(
            Self.conversation(
                "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)", sent: Self.request))
        #expect(place?.spot == .json("$.peers[1].ip"))
        #expect(place?.request == ReceivedLocation.Request(method: "GET", target: "/list.json", host: "api.test"))
        #expect(place?.name == "api.test")
    }

    @Test func `a chunked answer is one text`() throws {
        let place = try place(
            Self.conversation(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n{\"a\": \r\n11\r\n[\"198.51.100.31\"]\r\n0\r\n\r\n",
                sent: Self.request))
        #expect(place?.spot == .json("$.a[0]"))
    }

    @Test func `a header field of SIP is told by its name`() throws {
        let message = "SIP/2.0 200 OK\r\nVia: SIP/2.0/UDP x\r\nContact: <sip:shop@198.51.100.31:5060>\r\n\r\n"
        #expect(try place(Self.conversation(message, transport: .udp))?.spot == .header("Contact"))
        let other = message.replacing("SIP/2.0 200", with: "HELLO 200")
        #expect(try place(Self.conversation(other))?.spot != .header("Contact"))
    }

    @Test func `the second answer belongs to the second request`() throws {
        let place = try place(
            Self.conversation(
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 302 Found\r\nLocation: http://198.51.100.31/\r\n\r\n",
                sent: Self.request + "GET /moved HTTP/1.1\r\n\r\n"))
        #expect(place?.spot == .header("Location") && place?.request?.target == "/moved")
    }

    @Test(arguments: ["http:\\/\\/198.51.100.31\\/", "198\\u002e51.100.31", "http%3A%2F%2F198.51.100.31%2F"])
    func `escaped text is read`(text: String) throws {
        let found = try origin(of: Self.conversation("{\"next\": \"\(text)\"}"))
        #expect(found?.isCertain == true)
        guard case .payload(let place)? = found?.place else { return #expect(Bool(false)) }
        #expect(place.spot == .json("$.next"))
    }

    @Test func `the numbers of an answer to PASV are an address`() throws {
        let place = try place(Self.conversation("227 Entering Passive Mode (198,51,100,31,171,163)\r\n"))
        #expect(place?.spot == .commas)
    }

    @Test func `a compact list of peers is told by its key, and is probable`() throws {
        let list = Array("d8:intervali60e5:peers12:".utf8) + [192, 0, 2, 1, 0, 80, 198, 51, 100, 31, 0, 80] + [0x65]
        let found = try origin(of: Self.conversation(list))
        #expect(found?.isCertain == false)
        guard case .payload(let place)? = found?.place else { return #expect(Bool(false)) }
        #expect(place.spot == .bencode("$.peers"))
    }

    @Test func `four octets are told with the number behind them`() throws {
        let place = try place(Self.conversation([0, 1, 198, 51, 100, 31, 0x1a, 0xe1], transport: .udp))
        #expect(place?.spot == .packed(2, next: 6881))
    }

    @Test func `a masked address of STUN is read`() throws {
        let masked: [UInt8] = [198 ^ 0x21, 51 ^ 0x12, 100 ^ 0xa4, 31 ^ 0x42]
        let message: [UInt8] =
            [1, 1, 0, 12, 0x21, 0x12, 0xa4, 0x42] + [UInt8](repeating: 7, count: 12) + [0, 0x20, 0, 8, 0, 1, 0, 0]
            + masked
        #expect(try place(Self.conversation(message, transport: .udp))?.spot == .stun)
    }

    @Test func `what came after the call is no origin`() throws {
        #expect(try origin(of: Self.conversation("198.51.100.31", time: .seconds(3))) == nil)
    }

    @Test func `ciphertext is not searched`() throws {
        #expect(try origin(of: Self.conversation([22, 3, 3, 0, 4, 198, 51, 100, 31])) == nil)
    }
}

@Suite struct PayloadReaderTests {
    private static let own: IPAddress = "2e00:2:0:1::2"

    private func facts(
        sent: [UInt8], received: String = "", transport: Flow.Transport = .tcp
    ) -> [PayloadFact.Matter] {
        var conversation = Conversation(transport: transport, remote: "64:ff9b::c633:641f", port: 21, localPort: 4000)
        conversation.sent.octets = Octets(sent)
        conversation.sent.pieces = [Conversation.Stream.Piece(offset: 0, time: .zero)]
        conversation.received.octets = Octets(Array(received.utf8))
        var payloads = PayloadRecord()
        payloads.clients = [Self.own, "192.0.2.2"]
        payloads.conversations = [conversation]
        return PayloadReader(payloads, KnownNames([])).facts.map(\.matter)
    }

    private func facts(sent: String) -> [PayloadFact.Matter] { facts(sent: Array(sent.utf8)) }

    @Test func `PORT with an IPv6 address is an address of the client's`() {
        #expect(
            facts(sent: "PORT 2e00:2:0:1::2,195,80\r\n") == [
                .portCommand(line: "PORT 2e00:2:0:1::2,195,80"),
                .ownAddress(Self.own, line: "PORT 2e00:2:0:1::2,195,80"),
            ])
    }

    @Test(arguments: [
        ("EPSV 2", "522 no", true), ("epsv 2", "522-no\r\n522 end", true), ("EPSV", "522 no", false),
        ("EPSV 1", "522 no", false),
        ("EPSV 2", "229 (|||5|)", false),
    ])
    func `EPSV with the number of IPv6, and the refusal of it`(_ command: String, _ reply: String, isTold: Bool) {
        let found = facts(sent: Array("USER a\r\n\(command)\r\n".utf8), received: "220 a\r\n\(reply)\r\n")
        let isFound = found.contains { if case .refusedFamily = $0 { true } else { false } }
        #expect(isFound == isTold)
    }

    @Test func `PORT with an IPv4 address is, too`() {
        #expect(facts(sent: "PORT 192,0,2,2,195,80\r\n").contains(.ownAddress("192.0.2.2", line: nil)))
    }

    @Test func `sixteen octets are an address, and four in a long message are not`() {
        let long = [UInt8](repeating: 1, count: 300)
        #expect(facts(sent: long + Self.own.octets) == [.ownAddress(Self.own, line: nil)])
        #expect(facts(sent: long + [192, 0, 2, 2]).isEmpty)
    }

    @Test func `a session description tells where media is awaited`() {
        #expect(
            facts(sent: "v=0\r\nc=IN IP4 0.0.0.0\r\n")
                == [.sessionAddress(line: "c=IN IP4 0.0.0.0", isIPv4: true)])
    }

    @Test func `a Host field with a name is a server's name, one with an address is none`() {
        #expect(facts(sent: "GET / HTTP/1.1\r\nHost: www.test:8080\r\n\r\n") == [.serverName("www.test")])
        #expect(facts(sent: "GET / HTTP/1.1\r\nHost: 198.51.100.31\r\n\r\n").isEmpty)
    }

    @Test func `a ClientHello tells the server's name`() {
        let name = Array("www.test".utf8)
        let list = [0, UInt8(name.count + 3), 0, 0, UInt8(name.count)] + name
        let extensions = [0, 0, 0, UInt8(list.count)] + list
        var body: [UInt8] = [3, 3] + [UInt8](repeating: 5, count: 32) + [0, 0, 2, 0x13, 1, 1, 0]
        body += [0, UInt8(extensions.count)] + extensions
        let hello: [UInt8] = [22, 3, 1, 0, UInt8(body.count + 4), 1, 0, 0, UInt8(body.count)] + body
        #expect(facts(sent: hello) == [.serverName("www.test")])
        for count in hello.indices { _ = facts(sent: Array(hello[..<count])) }
    }

    @Test func `a WireGuard handshake is known by its first message`() {
        let first: [UInt8] = [1, 0, 0, 0] + [UInt8](repeating: 9, count: 144)
        #expect(facts(sent: first, transport: .udp) == [.wireGuard])
        #expect(facts(sent: first + [0], transport: .udp).isEmpty)
    }
}
