// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Evidence
import EvidenceSupport
import Testing
import Wire

@Suite("Hosts that a client named or went to")
struct ContactedHostTests {
    private static let shop: IPv4Address = IPv4Address(198, 51, 100, 10)
    private static let shop6: IPAddress = "64:ff9b::c633:640a"

    private static func lookup(_ node: String, _ answers: [IPAddress], line: Int? = nil) -> Lookup {
        var lookup = Lookup(call: .getaddrinfo, node: node, answers: answers, program: "client")
        if let line { lookup.site.stand(at: StackFrame(file: "client.py", line: line)) }
        return lookup
    }

    private static func flow(_ remote: IPAddress, _ route: Flow.Route, isAnswered: Bool = true) -> Flow {
        Flow(.tcp, remote, 443, route, attempts: 1, accepted: isAnswered ? 1 : 0)
    }

    private static func names(_ hosts: ContactedHosts) -> [String] {
        hosts.hosts.map { host in
            switch host.identity {
            case .name(let name): "\(name)"
            case .address(let address): "\(address)"
            }
        }
    }

    @Test func `names, ways and lines of one run`() {
        let run = RunEvidence(
            network: .nat64, end: .exited(status: 0), duration: .seconds(1),
            questions: [
                RepeatedQuery("shop.test", .aaaa, ["64:ff9b::c633:640a"], from: [Self.shop]),
                RepeatedQuery("six.test", .aaaa, ["2e00:2:0:cafe::20"]),
                RepeatedQuery("gone.test", .aaaa, []), RepeatedQuery("ipv4only.arpa", .aaaa, ["64:ff9b::c000:aa"]),
                RepeatedQuery("10.100.51.198.in-addr.arpa", .ptr, []),
            ],
            flows: [
                Self.flow(Self.shop6, .translated(Self.shop)), Self.flow("2e00:2:0:cafe::20", .direct),
                Self.flow("64:ff9b::cb00:7101", .translated(IPv4Address(203, 0, 113, 1)), isAnswered: false),
                Flow(.udp, "ff02::fb", 5353, .direct, bytesSent: 40),
            ],
            lookups: [
                Self.lookup("shop.test", [Self.shop6], line: 3), Self.lookup("localhost", ["::1"], line: 4),
                Self.lookup("127.0.0.1", ["127.0.0.1"], line: 5),
            ])
        let hosts = ContactedHosts([run], control: nil)
        #expect(Self.names(hosts) == ["shop.test.", "six.test.", "gone.test.", "203.0.113.1"])
        #expect(hosts.hosts.map(\.ways) == [[.nat64], [.ipv6], [], []])
        #expect(hosts.hosts.map(\.needsIPv4) == [true, false, false, true])
        #expect(hosts.hosts.map(\.isLiteral) == [false, false, false, true])
        #expect(hosts.hosts[0].sites.map(\.line) == [3])
        #expect(hosts.hosts[0].ends == [ContactedHost.End(transport: .tcp, port: 443)])
    }

    @Test func `a call without a packet goes to what was looked up at its line`() {
        let run = RunEvidence(
            network: .nat64, end: .exited(status: 1), duration: .seconds(1),
            lookups: [
                Self.lookup("shop.test", [.ipv4(Self.shop)], line: 3),
                Self.lookup("198.51.100.10", [.ipv4(Self.shop)], line: 9),
            ]
        ).traced(
            TracedCall(.connect, to: .ipv4(Self.shop), 443, at: "client.py:9"),
            TracedCall(.connect, to: "192.0.2.53", 53, at: "client.py:12"),
            TracedCall(.connect, to: "203.0.113.9", 80, at: "client.py:20"))
        let hosts = ContactedHosts([run], control: nil)
        #expect(Self.names(hosts) == ["shop.test.", "198.51.100.10", "203.0.113.9"])
        #expect(hosts.hosts.map { $0.ends.map(\.port) } == [[], [443], [80]])
        #expect(hosts.hosts.map { $0.sites.compactMap(\.line) } == [[3], [9], [20]])
    }

    @Test func `what only the control run reached is not reached here`() {
        let here = RunEvidence(
            network: .nat64, end: .exited(status: 1), duration: .seconds(1),
            lookups: [Self.lookup("198.51.100.10", [.ipv4(Self.shop)])])
        let there = RunEvidence(
            network: .dualStack, end: .exited(status: 0), duration: .seconds(1),
            questions: [RepeatedQuery("late.test", .aaaa, ["2e00:2:0:cafe::20"])],
            flows: [Self.flow(.ipv4(Self.shop), .direct), Self.flow("2e00:2:0:cafe::20", .direct)])
        let hosts = ContactedHosts([here], control: there).hosts
        #expect(hosts.map(\.ways) == [[], []])
        #expect(hosts.map(\.controlWays) == [[.ipv4], [.ipv6]])
        #expect(hosts.map(\.isOfControlAlone) == [false, true])
    }

    @Test(
        arguments: [
            ("requests/adapters.py:44", "requests"), ("@scope/pkg/lib/index.js:3", "@scope/pkg"),
            ("github.com/a/b@v1.2.3/conn.go:9", "github.com/a/b@v1.2.3"),
            ("index.crates.io-6f17d22bba15001f/reqwest-0.12.3/src/connect.rs:7", "reqwest-0.12.3"),
            ("faraday-2.7.4/lib/faraday.rb:1", "faraday-2.7.4"), ("six.py:12", nil), (nil, nil),
        ] as [(String?, String?)])
    func `a dependency has the name that its package manager gives it`(through: String?, name: String?) {
        #expect(CallSite(file: "client.py", line: 1, through: through).dependency == name)
    }
}
