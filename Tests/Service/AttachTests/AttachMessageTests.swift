import Evidence
import Foundation
import LinuxNet
import Testing
import Wire

@testable import Attach

struct AttachMessageTests {
    @Test func `messages come across`() throws {
        let pair = try UnixSocket.pair()
        let runner = AttachChannel(pair.first)
        let daemon = AttachChannel(pair.second)
        let request = AttachRequest.hello(version: AttachRequest.version, network: .nat64, client: "curl")
        let isSent = runner.send(request)
        #expect(isSent)
        guard case .message(let received, nil) = daemon.receive(AttachRequest.self, until: nil) else {
            Issue.record("no message")
            return
        }
        #expect(received == request)
    }

    @Test(arguments: ["", "{", "[]", "{\"hello\":{}}", "{\"place\":1}", String(repeating: "[", count: 60_000)])
    func `what makes no sense is told from the end`(_ text: String) throws {
        let pair = try UnixSocket.pair()
        let daemon = AttachChannel(pair.second)
        // An empty message is the end.
        try pair.first.send(Array(text.utf8).span)
        switch daemon.receive(AttachRequest.self, until: nil) {
        case .nonsense: #expect(!text.isEmpty)
        case .closed: #expect(text.isEmpty)
        default: Issue.record("taken for a message: \(text.prefix(20))")
        }
    }

    @Test func `a message that is too long is nonsense`() throws {
        let pair = try UnixSocket.pair()
        let daemon = AttachChannel(pair.second)
        try pair.first.send([UInt8](repeating: 32, count: AttachChannel.longestMessage + 1).span)
        guard case .nonsense = daemon.receive(AttachRequest.self, until: nil) else {
            Issue.record("taken")
            return
        }
    }

    @Test func `who says nothing is not waited for forever`() throws {
        let pair = try UnixSocket.pair()
        let daemon = AttachChannel(pair.second)
        guard case .timedOut = daemon.receive(AttachRequest.self, until: MonotonicClock.now()) else {
            Issue.record("something came")
            return
        }
    }

    @Test func `a place of an earlier release, which has no IPv4 resolver, is understood`() throws {
        let place = AttachPlace(
            client: 1, links: LinkConditions(), ipv6: IPv6Address("2001:db8::2")!, ipv6PrefixLength: 64,
            ipv6Gateway: IPv6Address("2001:db8::1")!, ipv4: nil, resolver: IPv6Address("2001:db8::1")!,
            ipv4Resolver: IPv4Address(192, 0, 2, 1), prefixes: [], authority: nil)
        let text = String(decoding: try JSONEncoder().encode(place), as: UTF8.self)
        #expect(try JSONDecoder().decode(AttachPlace.self, from: Data(text.utf8)) == place)
        let earlier = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            .filter { $0.key != "ipv4Resolver" }
        #expect(earlier.count < 10)
        let decoded = try JSONDecoder().decode(
            AttachPlace.self, from: try JSONSerialization.data(withJSONObject: earlier))
        #expect(decoded.ipv4Resolver == nil && decoded.resolver == place.resolver)
    }

    @Test func `evidence comes back as it was`() throws {
        let evidence = NetworkEvidence(
            questions: [
                DNSQuestion(
                    name: "shop.test", type: "AAAA", transport: "udp", responseCode: "NOERROR",
                    answers: ["64:ff9b::c633:640a"], source: "world", synthesisedFrom: ["198.51.100.10"],
                    rule: "RFC 6147 §5.1.6", faults: ["ttl 7"], count: 2)
            ],
            queries: DNSQueryLog(
                [
                    DNSQuery(
                        time: .microseconds(1234), client: "[2001:db8::1]:9", transport: "udp", name: nil, type: nil,
                        responseCode: nil, source: "none", rule: "RFC 1035 §4.1")
                ], omitted: 3),
            flows: [
                Flow(
                    transport: .tcp, remote: IPAddress("64:ff9b::c633:640a")!, port: 80,
                    route: .translated(IPv4Address("198.51.100.10")!), attempts: 1, accepted: 1, bytesSent: 78,
                    bytesReceived: .max),
                Flow(transport: .udp, remote: IPAddress("192.0.2.1")!, port: 7, route: .direct),
            ],
            refusals: [
                Refusal(
                    reason: "no-route", explanation: "no route", count: 3, example: "IPv6 a > b", kind: .routing)
            ], lost: 4)
        #expect(EvidenceFile.read(try EvidenceFile.make(evidence)) == evidence)
    }
}
