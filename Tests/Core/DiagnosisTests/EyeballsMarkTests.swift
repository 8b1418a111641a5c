// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import DNS64
import DNSWire
import Evidence
import EvidenceSupport
import Testing
import Wire

@Suite("Marks of Happy Eyeballs")
struct EyeballsMarkTests {
    private static let (six, four): (IPAddress, IPAddress) = ("2e00:2:0:cafe::10", "198.51.100.10")

    /// - Parameters:
    ///   - attempts: an address and the milliseconds after which its first packet came.
    ///   - asked: the milliseconds after which AAAA and A were asked for.
    private static func run(
        _ attempts: [(IPAddress, Int)], asked: (aaaa: Int?, a: Int?) = (0, 1), works: Bool = true,
        changing change: (inout Flow) -> Void = { _ in }
    ) -> RunEvidence {
        var run = RunEvidence(
            network: .dualStack, end: .exited(status: works ? 0 : 1), duration: .seconds(40),
            flows: attempts.map { address, milliseconds in
                var flow = Flow(.tcp, address, 80, .direct, attempts: 1, accepted: works ? 1 : 0)
                flow.times = FlowTimes(first: .milliseconds(milliseconds), last: .milliseconds(milliseconds))
                change(&flow)
                return flow
            })
        // Each step has a name of its own.
        run.seen.queries = QueryExcerpt(
            EyeballsMark.Step.allCases.flatMap { step in
                let name = DomainName(stringLiteral: "\(step.rawValue).test")
                return [
                    asked.aaaa.map { QueryRecord(name, .aaaa, at: .milliseconds($0)) },
                    asked.a.map { QueryRecord(name, .a, at: .milliseconds($0)) },
                ].compactMap(\.self)
            })
        return run
    }

    private static func mark(_ step: EyeballsMark.Step, _ runs: RunEvidence...) -> String {
        let mark = EyeballsMark(step, runs)
        return "\(mark.measured): \(mark.grade.rawValue)"
    }

    @Test(arguments: [
        (250, "250 ms: as RFC 8305"), (101, "101 ms: as RFC 8305"), (0, "0 ms: departs"), (30_000, "30.0 s: departs"),
    ])
    func `the connection attempt delay is from 100 ms to 2 s`(delay: Int, text: String) {
        let run = Self.run([(Self.six, 10), (Self.four, 10 + delay)])
        #expect(Self.mark(.ipv6Silent, run) == "IPv4 after " + text)
        #expect(EyeballsMark(.ipv6Silent, [run]).seconds == [Double(delay) / 1000])
    }

    @Test func `a client of one family fails where that is silent, refuses or is not there`() {
        let silent = Self.run([(Self.six, 10)], works: false)
        #expect(Self.mark(.ipv6Silent, silent) == "IPv4 was not tried: fails")
        #expect(Self.mark(.ipv6Refused, silent) == "IPv4 was not tried: fails")
        #expect(Self.mark(.noAAAA, Self.run([], asked: (0, nil), works: false)) == "A was not asked for: fails")
        #expect(Self.mark(.manySilent, Self.run([], works: false)) == "it went nowhere: fails")
        #expect(Self.mark(.ipv6Silent, Self.run([(Self.four, 10)])) == "IPv6 was not tried: not seen")
    }

    @Test func `both families at once, and IPv4 before IPv6, depart`() {
        #expect(Self.mark(.both, Self.run([(Self.six, 10), (Self.four, 10)])) == "IPv6, and IPv4 after 0 ms: departs")
        #expect(Self.mark(.both, Self.run([(Self.four, 10), (Self.six, 10)])).hasSuffix("departs"))
        #expect(Self.mark(.both, Self.run([(Self.four, 10)])) == "IPv4 first: departs")
        #expect(Self.mark(.both, Self.run([(Self.six, 10)])) == "IPv6 alone: as RFC 8305")
    }

    @Test func `an answer that is there is gone to, whatever the other type's is doing`() {
        #expect(Self.mark(.aaaaLate, Self.run([(Self.four, 51)])) == "IPv4 50 ms after the question: as RFC 8305")
        #expect(Self.mark(.aaaaLate, Self.run([(Self.six, 2005)])) == "IPv6 2.0 s after the question: departs")
        #expect(Self.mark(.aLate, Self.run([(Self.six, 3)])) == "IPv6 3 ms after the question: as RFC 8305")
        #expect(Self.mark(.aLate, Self.run([(Self.six, 2003)])) == "IPv6 2.0 s after the question: departs")
        #expect(Self.mark(.noAAAA, Self.run([(Self.four, 4)])) == "IPv4 3 ms after the question: as RFC 8305")
        #expect(Self.mark(.noA, Self.run([(Self.six, 4)])) == "IPv6 4 ms after the question: as RFC 8305")
    }

    @Test func `families take turns, or one comes whole before the other`() {
        let others: [IPAddress] = ["2e00:2:0:cafe::67", "2e00:2:0:cafe::68"]
        let turns = Self.run([(Self.six, 0), (Self.four, 250), (others[0], 500)])
        #expect(Self.mark(.manySilent, turns) == "6 4 6 within 500 ms: as RFC 8305")
        let whole = Self.run([(Self.six, 0), (others[0], 250), (others[1], 500), (Self.four, 750)])
        #expect(Self.mark(.manySilent, whole) == "6 6 6 4 within 750 ms: departs")
    }

    @Test func `a client that ends well without an answer fails`() {
        var run = Self.run([(Self.six, 10)])
        run.seen.flows[0].accepted = 0
        #expect(Self.mark(.ipv6Refused, run) == "IPv4 was not tried: fails")
    }

    @Test func `pings and what came from outside are no attempts`() {
        var run = Self.run([(Self.four, 260)])
        var ping = Flow(.icmp, Self.six, 0, .direct)
        ping.times = FlowTimes(first: .zero, last: .zero)
        var inbound = Flow(.tcp, Self.six, 80, .direct, isInbound: true)
        inbound.times = FlowTimes(first: .zero, last: .zero)
        run.seen.flows += [ping, inbound]
        #expect(Self.mark(.ipv6Silent, run) == "IPv6 was not tried: not seen")
    }

    @Test func `of two runs the worse is the mark, and both are told`() {
        let (good, bad) = (Self.run([(Self.six, 0), (Self.four, 250)]), Self.run([(Self.six, 0), (Self.four, 3000)]))
        #expect(Self.mark(.ipv6Silent, good, good) == "IPv4 after 250 ms and 250 ms: as RFC 8305")
        #expect(Self.mark(.ipv6Silent, good, bad) == "IPv4 after 250 ms and 3.0 s: departs")
        let alone = Self.run([(Self.six, 0)], works: false)
        #expect(Self.mark(.ipv6Silent, bad, alone) == "IPv4 after 3.0 s; again: IPv4 was not tried: fails")
        #expect(Self.mark(.ipv6Silent, alone, alone) == "IPv4 was not tried: fails")
    }

    @Test func `questions for other names do not count`() {
        var run = Self.run([(Self.four, 260)], asked: (nil, nil))
        run.seen.queries = QueryExcerpt([QueryRecord("telemetry.test", .a, at: .zero)])
        #expect(Self.mark(.noAAAA, run) == "A was not asked for: not seen")
    }

    // MARK: - Version 3

    @Test func `a late answer to HTTPS is not waited for`() {
        var run = Self.run([(Self.six, 52)])
        #expect(Self.mark(.httpsLate, run) == "HTTPS was not asked for: not seen")
        run.seen.queries.queries.append(QueryRecord("https-late.test", .https, at: .zero))
        #expect(Self.mark(.httpsLate, run) == "IPv6 52 ms after the question: as version 3")
        run.seen.flows[0].times = FlowTimes(first: .seconds(2), last: .seconds(2))
        #expect(Self.mark(.httpsLate, run) == "IPv6 2.0 s after the question: departs")
    }

    @Test func `a client of TLS goes on where the handshake does not`() {
        let attempts: [(IPAddress, Int)] = [(Self.six, 0), (Self.four, 3000)]
        #expect(Self.mark(.tlsSilent, Self.run(attempts)) == "no TLS: not seen")
        let secure = Self.run(attempts) { $0.hellos = SentHellos() }
        #expect(Self.mark(.tlsSilent, secure) == "IPv4 after 3.0 s: as version 3")
        // RFC 8305 has it end with TCP's handshake.
        let single = Self.run([(Self.six, 0)], works: false) { $0.hellos = SentHellos() }
        #expect(Self.mark(.tlsSilent, single) == "IPv4 was not tried: departs")
    }

    @Test func `a client of QUIC goes on with TCP`() {
        #expect(Self.mark(.quicSilent, Self.run([(Self.six, 0)])) == "no QUIC: not seen")
        var run = Self.run([(Self.six, 0), (Self.six, 250)])
        run.seen.flows[0].transport = .udp
        #expect(Self.mark(.quicSilent, run) == "TCP after 250 ms: as version 3")
        run.seen.flows.removeLast()
        run.end = .exited(status: 1)
        #expect(Self.mark(.quicSilent, run) == "TCP was not tried: departs")
    }

    @Test func `with a prefix and no DNS64 addresses are made of A records`() {
        let synthesised = Self.run([("64:ff9b::c633:640a", 5)]) {
            $0.route = .translated(IPv4Address(198, 51, 100, 10))
        }
        #expect(Self.mark(.pref64, synthesised) == "an address made from the prefix: as version 3")
        #expect(Self.mark(.pref64, Self.run([], works: false)) == "no address made from the prefix: departs")
        #expect(Self.mark(.pref64, Self.run([], asked: (0, nil), works: false)) == "A was not asked for: departs")
    }
}
