// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import NAT64
import Randomness
import Wire

/// The cost of a session, and the cost of a packet among many sessions.
struct SessionCost {
    private static let few = 10_000
    private static let many = 1_000_000
    /// Packets in each direction, on sessions in random order.
    private static let packetsInARound = 1_000_000

    private struct Samples {
        var mappings: [Double] = []
        var connections: [Double] = []
        /// Octets per session: of the process's resident memory, and of the tables.
        var residentOctets: [Double] = []
        var tableOctets: [Double] = []
        var translating: [Double] = []
        var relaying: [Double] = []
        /// Latency of reads of memory as large as the tables.
        var reading: [Double] = []
    }

    func measure(rounds: Int) throws(BenchFailure) -> [Measurement] {
        var few = Samples()
        var many = Samples()
        for _ in 0..<rounds {
            try Self.measure(Self.few, into: &few)
            try Self.measure(Self.many, into: &many)
        }
        func rows(_ name: String, _ unit: String, _ samples: KeyPath<Samples, [Double]>) -> [Measurement] {
            [
                Measurement(.sessions, "\(name), 10 thousand", unit, few[keyPath: samples]),
                Measurement(.sessions, "\(name), 1 million", unit, many[keyPath: samples]),
            ]
        }
        let translating = rows("a UDP packet among sessions", "ns", \.translating)
        let relaying = rows("the same over descriptors", "ns", \.relaying)
        let reading = rows("a read of memory as large as the tables", "ns", \.reading)
        return rows("new UDP mappings", "a second", \.mappings)
            + rows("TCP handshakes", "a second", \.connections)
            + rows("a UDP session's share of the tables", "octets", \.tableOctets)
            // Fewer sessions would fit into memory that the process already has.
            + [
                Measurement(
                    .sessions, "memory of a UDP session, 1 million", "octets", many.residentOctets, aim: .atMost(256))
            ]
            + [translating[0], translating[1].compared(with: translating[0], aim: .atMost(2))]
            + [relaying[0], relaying[1].compared(with: relaying[0], aim: .atMost(1.5))]
            + [reading[0], reading[1].compared(with: reading[0])]
    }

    private static func measure(_ count: Int, into samples: inout Samples) throws(BenchFailure) {
        let sink = Sink()
        samples.connections.append(handshakes(count, sink))

        var flows = (0..<count).map { FlowEnds(number: $0) }
        var nat64 = NAT64.ofBench()
        var buffer = PacketBuffer()
        // The first session allocates all that does not depend on their number.
        flows[0].establish(.udp, in: &nat64, &buffer, sink)
        let memory = MachineDescription.residentMemory
        let tables = nat64.footprint
        let start = ThreadClock.now()
        for index in flows.indices { flows[index].establish(.udp, in: &nat64, &buffer, sink) }
        samples.mappings.append(Double(count) / seconds(since: start))
        samples.residentOctets.append(Double(MachineDescription.residentMemory - memory) / Double(count))
        let footprint = nat64.footprint - tables
        samples.tableOctets.append(Double(footprint) / Double(count))
        samples.reading.append(MemoryReads(octets: footprint).measure())

        // The same order in every run.
        var order = SplitMix64(seed: 1)
        flows.shuffle(using: &order)
        samples.translating.append(translate(flows, &nat64, &buffer, sink))
        let sockets = try SocketPath()
        samples.relaying.append(relay(flows, &nat64, &buffer, sockets))
        try sockets.check()
        try sink.check()
    }

    /// Handshakes a second, each of three packets.
    private static func handshakes(_ count: Int, _ sink: Sink) -> Double {
        var nat64 = NAT64.ofBench()
        var buffer = PacketBuffer()
        let start = ThreadClock.now()
        for number in 0..<count {
            var flow = FlowEnds(number: number)
            flow.establish(.tcp, in: &nat64, &buffer, sink)
        }
        return Double(count) / seconds(since: start)
    }

    /// Nanoseconds for a packet, over both directions.
    private static func translate(
        _ flows: [FlowEnds], _ nat64: inout NAT64, _ buffer: inout PacketBuffer, _ sink: Sink
    ) -> Double {
        let rounds = max(1, packetsInARound / flows.count)
        let start = ThreadClock.now()
        for _ in 0..<rounds {
            for flow in flows { writeRequest(flow, &buffer) }
            for flow in flows { writeReply(flow, &buffer) }
        }
        let written = ThreadClock.now()
        for _ in 0..<rounds {
            for flow in flows {
                writeRequest(flow, &buffer)
                nat64.receive(&buffer, from: .ipv6, at: .zero, output: sink)
            }
            for flow in flows {
                writeReply(flow, &buffer)
                nat64.receive(&buffer, from: .ipv4, at: .zero, output: sink)
            }
        }
        // The time to make the packets is subtracted.
        let duration = (ThreadClock.now() - written).wholeNanoseconds - (written - start).wholeNanoseconds
        return Double(duration) / Double(2 * rounds * flows.count)
    }

    /// The same with the system calls, as nanoseconds for a packet.
    private static func relay(
        _ flows: [FlowEnds], _ nat64: inout NAT64, _ buffer: inout PacketBuffer, _ sockets: SocketPath
    ) -> Double {
        let turn = SocketPath.turn(length: 64)
        let count = packetsInARound / 4 / turn * turn
        var duration = Duration.zero
        for side in Side.allCases {
            for first in stride(from: 0, to: count, by: turn) {
                for number in first..<first + turn {
                    let flow = flows[number % flows.count]
                    if side == .ipv6 { writeRequest(flow, &buffer) } else { writeReply(flow, &buffer) }
                    sockets.feed(&buffer)
                }
                let start = ThreadClock.now()
                sockets.relay(turn, from: side, through: &nat64)
                duration += ThreadClock.now() - start
                sockets.drain()
            }
        }
        return Double(duration.wholeNanoseconds) / Double(2 * count)
    }

    @inline(never)
    private static func writeRequest(_ flow: FlowEnds, _ buffer: inout PacketBuffer) {
        flow.writeRequest(UpperLayer(.udp), length: 64, into: &buffer)
    }

    @inline(never)
    private static func writeReply(_ flow: FlowEnds, _ buffer: inout PacketBuffer) {
        flow.writeReply(UpperLayer(.udp), length: 44, into: &buffer)
    }

    private static func seconds(since start: Duration) -> Double {
        Double((ThreadClock.now() - start).wholeNanoseconds) / 1e9
    }
}
