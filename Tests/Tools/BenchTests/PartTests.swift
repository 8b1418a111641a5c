// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Bench

/// A line of the table, without the spaces that align it.
private func lines(_ measurements: [Measurement]) -> [String] {
    Table(measurements).lines.map { $0.split(separator: " ").joined(separator: " ") }
}

private func line(_ name: String, of measurements: [Measurement]) -> String? {
    lines(measurements).first { $0.hasPrefix(name) }
}

@Suite("Lines of the table, and their aims")
struct PartTests {
    private static func cost(_ elapsed: Double, processor: Double = 0, resident: Double = 0) -> RunCost {
        var cost = RunCost()
        (cost.elapsed, cost.processor, cost.resident) = (elapsed, processor, resident)
        return cost
    }

    @Test
    func `A run is to take twice the least run, as root and as an ordinary user`() {
        var costs = WallTime.Costs()
        costs.least = [Self.cost(0.004)]
        costs.ours = [Self.cost(0.008, resident: 21e6)]
        costs.leastOfUser = [Self.cost(0.005)]
        costs.oursOfUser = [Self.cost(0.011)]
        costs.version = [Self.cost(0.003)]
        let measurements = WallTime.measurements(costs, .another)
        #expect(
            line("ipv6check -- true 8", of: measurements)
                == "ipv6check -- true 8 ms 8 … 8 2 × LeastRun true (✓ aim: at most 2)")
        #expect(
            line("ipv6check -- true, ordinary", of: measurements)
                == "ipv6check -- true, ordinary user 11 ms 11 … 11 2.20 × LeastRun true, ordinary user (✗ aim: at most 2)"
        )
        #expect(
            line("resident", of: measurements)
                == "resident, ipv6check -- true 21 MB 21 … 21 (✗ aim: at most 20)")
        #expect(line("ipv6check --version", of: measurements) == "ipv6check --version 3 ms 3 … 3 (✓ aim: at most 3)")
    }

    @Test
    func `A user who may not run it is told of`() {
        let measurements = WallTime.measurements(WallTime.Costs(), .none("no way to it"))
        #expect(
            line("ipv6check -- true, ordinary", of: measurements)
                == "ipv6check -- true, ordinary user – not measured: no way to it")
        #expect(line("ipv6check -- true, ordinary", of: WallTime.measurements(WallTime.Costs(), .oneself)) == nil)
    }

    @Test
    func `What a run costs is read as it is said`() throws {
        let cost = Self.cost(0.0125, processor: 0.25, resident: 4096)
        let read = try #require(RunCost("\(cost)\n"))
        #expect((read.elapsed, read.processor, read.resident) == (0.0125, 0.25, 4096))
        #expect(RunCost("exit code 1") == nil)
    }

    @Test
    func `A run through a daemon is to cost no more than one of its own, and the attaching 5 ms`() {
        let measurements = DaemonRuns.measurements([
            .init(own: 20, attached: 22, ownProcessor: 20, attachedProcessor: 19, attaching: 0.4)
        ])
        #expect(
            lines(measurements) == [
                "a simulator of its own 20 ms 20 … 20",
                "through the daemon 22 ms 22 … 22 1.10 × a simulator of its own (✗ aim: at most 1)",
                "processor time, a simulator of its own 20 ms 20 … 20",
                "processor time, through the daemon 19 ms 19 … 19 0.950 × processor time, a simulator of its own",
                "attaching 0.400 ms 0.400 … 0.400 (✓ aim: at most 5)",
            ])
    }

    @Test
    func `A suite is to keep nine tenths of the processors busy`() {
        let measurements = SuiteCost.measurements(
            singles: [Self.cost(8, processor: 8)], suites: [Self.cost(4, processor: 7)], idle: [0.4], processors: 2)
        #expect(
            line("of the processors", of: measurements)
                == "of the processors, kept busy by a suite 87.5 % 87.5 … 87.5 (✗ aim: at least 90)")
        #expect(line("of the processors, busy", of: measurements) == "of the processors, busy meanwhile 95 % 95 … 95")
        #expect(
            line("processor time, a suite", of: measurements)
                == "processor time, a suite 7 s 7 … 7 0.875 × processor time, single runs (✓ aim: at most 1)")
    }

    @Test
    func `A daemon's own processes are judged by the pages that they hold`() {
        var use = MemoryUse()
        (use.resident, use.proportional) = (90e6, 60e6)
        let measurements = IdleMemory.measurements([.init(run: use, alone: use, daemon: use)])
        #expect(
            lines(measurements).filter { $0.contains("aim") } == [
                "the daemon's own processes, 32 idle clients, PSS 60 MB 60 … 60 (✓ aim: at most 60)"
            ])
    }

    @Test
    func `The memory of a process is read from its smaps_rollup`() {
        let text = """
            55d0c0000000-7ffd00000000 ---p 00000000 00:00 0                          [rollup]
            Rss:               30000 kB
            Pss:               20000 kB
            Pss_Dirty:         10000 kB

            """
        var use = MemoryUse()
        (use.resident, use.proportional) = (30_000 * 1024, 20_000 * 1024)
        #expect(MemoryUse(rollup: text) == use)
        #expect(MemoryUse(rollup: "") == nil)
    }

    @Test
    func `Sizes have their aims`() {
        #expect(
            lines(ExecutableSize.measurements(octets: 43_000_000)) == ["stripped 43 MB 43 … 43 (✗ aim: at most 40)"])
        #expect(
            lines(ImageSize.measurements(octets: 42_000_000))
                == ["the image, over its base 42 MB 42 … 42 (✓ aim: at most 50)"])
    }
}

@Suite("Peers, and those that are not there")
struct PeerTests {
    @Test
    func `TCP is compared with tayga, and with the least translator`() {
        var samples = Throughput.Samples()
        samples.ours = [19]
        samples.forwarded = [19]
        samples.peers = [.tayga: [2], .plain: [20]]
        #expect(
            lines(Throughput.measurements(.uploads, samples, [:])).last
                == "upload, 4 streams, NAT64 19 Gbit/s 19 … 19 9.50 × upload, 4 streams, tayga (✓ aim: at least 5), 0.950 × upload, 4 streams, LeastTranslator (✓ aim: at least 0.950), 1 × upload, 4 streams, IPv6 forwarding"
        )
    }

    @Test
    func `An aim beside a peer that is not there is not met, and the peer's line says why`() {
        var samples = Throughput.Samples()
        samples.ours = [19]
        samples.forwarded = [19]
        samples.peers = [.plain: [20]]
        let measurements = Throughput.measurements(.upload, samples, [.tayga: "tayga is not installed"])
        #expect(lines(measurements).first == "upload, tayga – not measured: tayga is not installed")
        #expect(lines(measurements).last?.contains("– × upload, tayga (✗ aim: at least 5)") == true)
    }

    @Test
    func `Under a flood as much is to arrive as two and a half taygas bring`() throws {
        let stream = try #require(DatagramStream.all.first { $0.rate == 0 })
        var samples = DatagramRates.Samples()
        samples.ours = [.init(offered: 400, received: 260, share: 60)]
        samples.peers = [
            .tayga: [.init(offered: 200, received: 100, share: 70)],
            .joined: [.init(offered: 400, received: 400, share: 50)],
        ]
        #expect(
            line("flood, received, NAT64", of: DatagramRates.measurements(stream, samples, [:]))
                == "flood, received, NAT64 260 kpps 260 … 260 2.60 × flood, received, tayga (✓ aim: at least 2.50), 0.650 × flood, received, LeastTranslator, joined, 0.650 × flood, offered, NAT64"
        )
        let without = DatagramRates.measurements(stream, samples, [.tayga: "tayga is not installed"])
        #expect(
            line("flood, received, tayga", of: without)
                == "flood, received, tayga – not measured: tayga is not installed")
        #expect(line("flood, received, NAT64", of: without)?.contains("– × flood, received, tayga (✗") == true)
    }

    @Test
    func `A cached answer is compared with the least responder's, one that is not with Unbound's`() {
        func sample(_ uncached: Double, _ processor: Double) -> NameQueries.Sample {
            .init(uncached: uncached, cached: 1, processor: processor, median: 1, slowest: 1, lost: 0, memory: 1)
        }
        let samples: [NameServer.Kind: [NameQueries.Sample]] = [
            .ours: [sample(12, 6)], .least: [sample(.nan, 5)], .unbound: [sample(10, 8)],
        ]
        let measurements = NameQueries.measurements(samples, [.bind: "named is not installed"])
        #expect(
            line("uncached, ours", of: measurements)
                == "uncached, ours 12 q/s 12 … 12 1.20 × uncached, Unbound (✓ aim: at least 1.20), – × uncached, BIND")
        #expect(line("uncached, BIND", of: measurements) == "uncached, BIND – not measured: named is not installed")
        #expect(
            line("processor a cached answer, ours", of: measurements)
                == "processor a cached answer, ours 6 µs 6 … 6 1.20 × processor a cached answer, LeastResponder (✗ aim: at most 1.15), 0.750 × processor a cached answer, Unbound (✓ aim: at most 1), – × processor a cached answer, BIND"
        )
    }

    @Test
    func `Who finds none of the names is found out`() {
        let line = "  Response codes:       NOERROR 9 (90.00%), NXDOMAIN 1 (10.00%)"
        #expect(DNSPerf.found([line[...]]) == 90)
        #expect(DNSPerf.found(["  Response codes:       NXDOMAIN 10 (100.00%)"]) == 0)
        #expect(DNSPerf.found([]) == 0)
    }

    @Test
    func `A program is there, or is said not to be`() {
        #expect(ForeignProgram.absence(of: "sh") == nil)
        #expect(ForeignProgram.absence(of: "no-such-program") == "no-such-program is not installed")
    }
}
