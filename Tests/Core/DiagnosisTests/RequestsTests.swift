// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Evidence
import EvidenceSupport
import Testing
import Wire

@testable import Diagnosis

/// V6C-103: what a client asks hosts for on both networks, and what chance makes of it.
@Suite struct RequestsTests {
    private static let names: [DomainName] = ["m0.test", "m1.test", "m2.test"]

    /// A run that asks hosts for paths, each on a connection of its own, with 50 octets a request.
    private func run(_ network: Network, _ paths: [[String]], isSeen: Bool = true) -> RunEvidence {
        var (questions, flows, connections): ([RepeatedQuery], [Flow], [ServedConnection]) = ([], [], [])
        for (index, paths) in paths.enumerated() {
            let host = IPv4Address(198, 51, 100, UInt8(index))
            let address = network == .dualStack ? IPAddress.ipv4(host) : IPAddress("64:ff9b::\(host)")!
            questions.append(question(Self.names[index], network == .dualStack ? .a : .aaaa, [address.description]))
            guard !paths.isEmpty else { continue }
            flows.append(
                Flow(
                    .tcp, address, 80, network == .dualStack ? .direct : .translated(host), attempts: paths.count,
                    accepted: paths.count, bytesSent: UInt64(paths.count) * 50, bytesReceived: 100))
            guard isSeen else { continue }
            for path in paths {
                var connection = ServedConnection(time: .zero, address: .ipv4(host), port: 80)
                connection.exchanges = [HTTPExchange(method: "GET", host: "", path: path)]
                connections.append(connection)
            }
        }
        var run = RunEvidence(
            network: network, end: .exited(status: 0), duration: .zero, questions: questions, flows: flows,
            profile: .linux)
        run.seen.connections = connections
        return run
    }

    /// The hosts that are told, after three runs here and one on dual-stack.
    private func told(
        _ first: [[String]], _ again: [[String]], _ later: [[String]], there: [[String]], isSeen: Bool = true
    ) -> [String] {
        func here(_ paths: [[String]]) -> RunEvidence { run(.nat64, paths, isSeen: isSeen) }
        let runs = Runs(
            first: here(first), again: here(again), control: run(.dualStack, there, isSeen: isSeen), later: here(later))
        return Verdict(runs).findings.filter { $0.rule == .asksForLess }.flatMap(\.sentences)
    }

    private func many(_ count: Int, _ path: String = "/") -> [String] { Array(repeating: path, count: count) }

    @Test func `a path that is asked for on dual-stack alone is told, however many others there are`() {
        let here = [many(20) + ["/a"]]
        #expect(told(here, here, here, there: [many(20) + ["/a", "/b"]]).count == 1)
        #expect(told([["/a"]], [["/a"]], [["/a"]], there: [["/a", "/b"]]).count == 1)
        let (own, other) = ([["/by/64:ff9b::1"]], [["/by/192.0.2.1"]])
        #expect(told(own, own, own, there: other).isEmpty, "the client's address is in the path")
        // Paths that differ from run to run are no sign.
        #expect(told([["/1"]], [["/2"]], [["/3"]], there: [["/4"]]).isEmpty)
        #expect(told([["/1", "/2"]], [["/2"]], [["/1"]], there: [["/1", "/2"]]).isEmpty)
    }

    @Test(arguments: [true, false])
    func `half of the requests are told, one of many is not`(isSeen: Bool) {
        #expect(told([many(3)], [many(3)], [many(3)], there: [many(6)], isSeen: isSeen).count == 1)
        #expect(told([many(9)], [many(9)], [many(9)], there: [many(10)], isSeen: isSeen).isEmpty)
    }

    @Test(arguments: [true, false])
    func `runs that differ from each other as much as from dual-stack are none of IPv6`(isSeen: Bool) {
        #expect(told([many(4)], [many(6)], [many(3)], there: [many(9)], isSeen: isSeen).isEmpty)
        #expect(told([many(4)], [many(5)], [many(4)], there: [many(9)], isSeen: isSeen).count == 1)
    }

    @Test(arguments: [true, false])
    func `what a client asks another host for in place of it is not missing`(isSeen: Bool) {
        let here = [many(2), many(6), many(4)]
        #expect(told(here, here, here, there: [many(6), many(2), many(4)], isSeen: isSeen).isEmpty)
        #expect(told(here, here, here, there: [many(6), many(6), many(4)], isSeen: isSeen).count == 1)
    }
}
