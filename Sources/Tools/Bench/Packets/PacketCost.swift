// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import NAT64
import Wire

/// The cost of a packet of an established session: in the NAT64 alone, from a buffer with the packet to the same buffer with its
/// translation; and with the system calls that read and write the packet.
struct PacketCost {
    private static let packetsInARound = 100_000

    /// A row of the table.
    private struct Case {
        let name: String
        let side: Side
        let packet: PacketTemplate
        var isOverDescriptors = false
    }

    private struct Cost {
        let nanoseconds: Double
        let allocations: Double

        init(of duration: Duration, _ allocations: UInt64) {
            nanoseconds = Double(duration.wholeNanoseconds) / Double(packetsInARound)
            self.allocations = Double(allocations) / Double(packetsInARound)
        }
    }

    func measure(rounds: Int) throws(BenchFailure) -> [Measurement] {
        var nat64 = NAT64.ofBench()
        let sink = Sink()
        let sockets = try SocketPath()
        let cases = Self.cases(&nat64, sink)
        var nanoseconds = [[Double]](repeating: [], count: cases.count)
        var allocations: [Double] = []
        for round in 0...rounds {
            var sum = 0.0
            for (index, one) in cases.enumerated() {
                let cost =
                    one.isOverDescriptors
                    ? Self.relay(one, &nat64, sockets) : Self.translate(one, &nat64, sink)
                sum += cost.allocations
                // The first round warms up.
                if round > 0 { nanoseconds[index].append(cost.nanoseconds) }
            }
            if round > 0 { allocations.append(sum / Double(cases.count)) }
        }
        try sink.check()
        try sockets.check()

        let times = zip(cases, nanoseconds).map { Measurement(.packets, $0.name, "ns", $1) }
        guard AllocationCount.isKept else { return times }
        return times + [
            Measurement(.packets, "allocations, over all of these", "a packet", allocations, aim: .atMost(0))
        ]
    }

    // MARK: - Measuring

    private static func translate(_ one: Case, _ nat64: inout NAT64, _ sink: Sink) -> Cost {
        var buffer = PacketBuffer()
        one.packet.fill(&buffer)
        // The time to put the packet into the buffer again is subtracted.
        let start = ThreadClock.now()
        for _ in 0..<packetsInARound { refill(&buffer, one.packet) }
        let middle = ThreadClock.now()
        let before = AllocationCount.current
        for _ in 0..<packetsInARound {
            refill(&buffer, one.packet)
            nat64.receive(&buffer, from: one.side, at: .zero, output: sink)
        }
        let allocations = AllocationCount.current - before
        return Cost(of: (ThreadClock.now() - middle) - (middle - start), allocations)
    }

    @inline(never)
    private static func refill(_ buffer: inout PacketBuffer, _ packet: PacketTemplate) {
        packet.refill(&buffer)
    }

    private static func relay(_ one: Case, _ nat64: inout NAT64, _ sockets: SocketPath) -> Cost {
        var buffer = PacketBuffer()
        one.packet.fill(&buffer)
        var duration = Duration.zero
        var allocations: UInt64 = 0
        let turn = SocketPath.turn(length: buffer.count)
        for _ in 0..<packetsInARound / turn {
            for _ in 0..<turn { sockets.feed(&buffer) }
            let start = ThreadClock.now()
            let before = AllocationCount.current
            sockets.relay(turn, from: one.side, through: &nat64)
            allocations += AllocationCount.current - before
            duration += ThreadClock.now() - start
            sockets.drain()
        }
        return Cost(of: duration, allocations)
    }

    // MARK: - The cases

    private static func cases(_ nat64: inout NAT64, _ sink: Sink) -> [Case] {
        var cases: [Case] = []
        for (transport, name) in [(TransportProtocol.udp, "UDP"), (.tcp, "TCP"), (.icmp, "ICMP echo")] {
            var flow = FlowEnds(number: 0)
            flow.establish(transport, in: &nat64, sink)
            for length in [64, 512, 1400] {
                cases += bothWays("\(name), \(length) octets", flow, UpperLayer(transport), length: length)
            }
            if transport == .icmp { continue }
            let upper = UpperLayer(transport, segmentSize: 1400)
            cases += bothWays("\(name), super-packet of 64,000", flow, upper, length: 64_000)
        }
        var flow = FlowEnds(number: 0)
        flow.establish(.udp, in: &nat64, sink)
        for length in [64, 512, 1400] {
            cases += bothWays(
                "UDP, \(length) octets, over descriptors", flow, UpperLayer(.udp), length: length,
                overDescriptors: true)
        }
        return cases
    }

    /// Cases for both directions. `length` is that of the IPv6 packet.
    private static func bothWays(
        _ name: String, _ flow: FlowEnds, _ upper: UpperLayer, length: Int, overDescriptors: Bool = false
    ) -> [Case] {
        var buffer = PacketBuffer()
        flow.writeRequest(upper, length: length, into: &buffer)
        let request = PacketTemplate(buffer)
        flow.writeReply(upper, length: length - IPv6Header.length + IPv4Header.length, into: &buffer)
        let reply = PacketTemplate(buffer)
        return [
            Case(name: "\(name), 6 → 4", side: .ipv6, packet: request, isOverDescriptors: overDescriptors),
            Case(name: "\(name), 4 → 6", side: .ipv4, packet: reply, isOverDescriptors: overDescriptors),
        ]
    }
}
