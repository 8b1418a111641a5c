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
        _ attempts: [(IPAddress, Int)], asked: (aaaa: Int?, a: Int?) = (0, 1), works: Bool = true
    ) -> RunEvidence {
        var run = RunEvidence(
            network: .dualStack, end: .exited(status: works ? 0 : 1), duration: .seconds(40),
            flows: attempts.map { address, milliseconds in
                var flow = Flow(.tcp, address, 80, .direct, attempts: 1, accepted: works ? 1 : 0)
                flow.times = FlowTimes(first: .milliseconds(milliseconds), last: .milliseconds(milliseconds))
                return flow
            })
        run.seen.queries = QueryExcerpt(
            [
                asked.aaaa.map { QueryRecord("x.test", .aaaa, at: .milliseconds($0)) },
                asked.a.map { QueryRecord("x.test", .a, at: .milliseconds($0)) },
            ].compactMap(\.self))
        return run
    }

    private static func mark(_ step: EyeballsMark.Step, _ run: RunEvidence) -> String {
        let mark = EyeballsMark(step, run)
        return "\(mark.measured): \(mark.grade.rawValue)"
    }

    @Test(arguments: [
        (250, "250 ms: as RFC 8305"), (101, "101 ms: as RFC 8305"), (0, "0 ms: departs"), (30_000, "30.0 s: departs"),
    ])
    func `the connection attempt delay is from 100 ms to 2 s`(delay: Int, text: String) {
        let run = Self.run([(Self.six, 10), (Self.four, 10 + delay)])
        #expect(Self.mark(.ipv6Silent, run) == "IPv4 after " + text)
        #expect(EyeballsMark(.ipv6Silent, run).seconds == Double(delay) / 1000)
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
}
