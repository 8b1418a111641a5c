// SPDX-License-Identifier: Apache-2.0
import EvidenceSupport
import Evidence
import Testing
import Wire

@Suite struct LookupTests {
    @Test func `hints are told by their names`() {
        let hints = LookupHints(family: 0, socktype: 1, protocol: 6, flags: 0x24)
        #expect(hints.names == ["AF_UNSPEC", "SOCK_STREAM", "protocol 6", "AI_NUMERICHOST", "AI_ADDRCONFIG"])
        let odd = LookupHints(family: 99, socktype: 77, protocol: 0, flags: 0x8001)
        #expect(odd.names == ["family 99", "socktype 77", "AI_PASSIVE", "0x8000"])
    }

    @Test(
        arguments: [
            ("198.51.100.10", IPv4Address(198, 51, 100, 10)), ("10.0.0.1", IPv4Address(10, 0, 0, 1)),
            ("127.0.0.1", nil),
            ("0.0.0.0", nil), ("255.255.255.255", nil), ("shop.test", nil), ("64:ff9b::1", nil), ("", nil),
        ] as [(String, IPv4Address?)]) func `only an address to reach is a literal`(
            _ node: String, _ literal: IPv4Address?
        )
    {
        #expect(Lookup(call: .getaddrinfo, node: node).literal == literal)
        #expect(Lookup(call: .inetNtoa, node: node).literal == nil)
    }

    @Test func `a mapped address is not synthesised`() {
        let lookup = Lookup(
            call: .getaddrinfo, node: "192.0.2.1", answers: ["64:ff9b::c000:201", "::ffff:192.0.2.1", "192.0.2.1"],
            outcome: .literal)
        #expect(lookup.synthesised == [IPv6Address("64:ff9b::c000:201")!])
    }

    /// asyncio looks up in a thread that has no frame of the program.
    @Test(arguments: [("/srv/app.py%097%09main", 7), ("/usr/lib/python3.11/threading.py%091002%09_bootstrap", nil)])
    func `a look-up has the line of the program, and none of a library`(_ frames: String, _ line: Int?) throws {
        let record = try EvidenceRecord(
            Array(
                "ipv6synth/1 call=getaddrinfo pid=8 tid=8 program=python3 node=shop.test frames=\(frames) result=0 count=0 lost=0"
                    .utf8))
        #expect(Lookup(record)?.site.line == line)
    }

    @Test func `a record that is cut anywhere is read or refused`() {
        let line =
            "ipv6synth/1 call=getaddrinfo pid=812 tid=812 program=a%20b node=198.51.100.10 family=0 socktype=1 protocol=0 "
            + "flags=0x20 result=0 answers=64:ff9b::c633:640a count=1 why=literal synthesised=1 lost=0"
        let octets = Array(line.utf8)
        #expect(throws: Never.self) { try EvidenceRecord(octets) }
        for length in 0..<octets.count {
            #expect(throws: EvidenceRecord.ParseError.self) { try EvidenceRecord(Array(octets.prefix(length))) }
        }
    }

    @Test
    func `an IPv6 address that is read as an IPv4 one is misread, unless it is then read as what it is, or looked up`()
    {
        func misread(_ others: Lookup...) -> [String?] {
            let readings = [Lookup(call: .inetPton, node: "2e00::1"), Lookup(call: .inetAton, node: "2e00::2")]
            return RunEvidence(
                network: .nat64, end: .exited(status: 0), duration: .zero, profile: .linux, lookups: readings + others
            ).misreadings.map(\.node)
        }
        #expect(misread() == ["2e00::1", "2e00::2"])
        #expect(misread(Lookup(call: .inetPton, node: "2e00::2", result: 1)) == ["2e00::1"])
        #expect(misread(Lookup(call: .getaddrinfo, node: "2e00::1")) == ["2e00::2"])
        #expect(misread(Lookup(call: .getaddrinfo, node: "2e00::1", result: -9)).count == 2)
        #expect(
            misread(Lookup(call: .inetAddr, node: "198.51.100.300"), Lookup(call: .inetNtoa, node: "2e00::3")).count
                == 2)
    }
}
