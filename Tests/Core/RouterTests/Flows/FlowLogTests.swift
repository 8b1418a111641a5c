// SPDX-License-Identifier: Apache-2.0
import Evidence
import Testing
import Wire

@testable import Router

@Suite struct FlowLogTests {
    private func observation(_ remote: IPv6Address, port: UInt16 = 80, payload: Int = 10) -> FlowLog.Observation {
        FlowLog.Observation(
            key: FlowLog.Key(remote: remote, port: port, transport: .tcp), isFromClient: true,
            payload: payload)
    }

    @Test func `packets of one flow are added up`() {
        var log = FlowLog()
        let remote = IPv6Address("2001:db8::1")!
        log.record(observation(remote), at: .zero + .milliseconds(5))
        var answer = observation(remote, payload: 1000)
        answer.isFromClient = false
        answer.event = .accepted
        log.record(answer, at: .zero + .milliseconds(9))
        var flow = Flow(transport: .tcp, remote: .ipv6(remote), port: 80, route: .direct)
        (flow.accepted, flow.bytesSent, flow.bytesReceived) = (1, 10, 1000)
        flow.times = FlowTimes(first: .milliseconds(5), answer: .milliseconds(9), last: .milliseconds(9))
        #expect(log.flows == [flow])
    }

    @Test func `flows stand in the order of their first packet`() {
        var log = FlowLog()
        for port in [443, 80, 7, 80, 443] as [UInt16] { log.record(observation(.loopback, port: port)) }
        #expect(log.flows.map(\.port) == [443, 80, 7])
    }

    @Test func `an IPv4 far end is shown as such`() {
        var log = FlowLog()
        var seen = observation(.loopback)
        seen.key = FlowLog.Key(remote: IPv4Address(198, 51, 100, 10), port: 80, transport: .udp)
        log.record(seen)
        #expect(log.flows[0].remote == .ipv4(IPv4Address(198, 51, 100, 10)))
    }

    @Test func `a client that scans cannot make it grow`() {
        var log = FlowLog()
        for number in 0..<UInt128(FlowLog.limit + 500) {
            log.record(observation(IPv6Address(bits: 0x2001_0db8 << 96 | number)))
        }
        #expect(log.flows.count == FlowLog.limit)
        #expect(log.lost == 500)
        // Packets of a known flow are still counted.
        log.record(observation(IPv6Address(bits: 0x2001_0db8 << 96)))
        #expect(log.flows[0].bytesSent == 20)
        #expect(log.lost == 500)
    }

    @Test func `no flow moves another`() {
        var log = FlowLog()
        let capacity = log.entries.capacity
        for port in 0...UInt16(FlowLog.limit + 10) { log.record(observation(.loopback, port: port)) }
        #expect(log.entries.count == FlowLog.limit && log.entries.capacity == capacity)
    }

    @Test func `what begins no flow takes no place`() {
        var log = FlowLog()
        var stray = observation(.loopback)
        stray.isFromClient = false
        #expect(log.record(stray) == nil)
        #expect(log.entries.isEmpty)
        log.record(observation(.loopback))
        #expect(log.record(stray) == 0)
        #expect(log.lost == 0)
    }
}
