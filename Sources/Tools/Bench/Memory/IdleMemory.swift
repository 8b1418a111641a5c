// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// The memory of idle processes while clients do nothing: those of a run, and those of a daemon with many clients.
struct IdleMemory {
    let ipv6check: String

    static let clients = 32
    /// Megabytes.
    private static let daemonAim = Aim.atMost(60)

    struct Sample {
        /// The runner, the simulator, the zygote and the keeper; without the client.
        var run: MemoryUse
        /// The daemon itself, without clients and with all of them; without the runners and clients.
        var alone: MemoryUse
        var daemon: MemoryUse
    }

    /// A client that does nothing until it is killed.
    private final class IdleClient {
        let process: ChildProcess

        init(_ command: [String]) throws(BenchFailure) {
            process = try ChildProcess(command + ["--", "sh", "-c", "echo ready; exec sleep infinity"], output: .read)
            if process.readLine() != "ready\n" { throw BenchFailure("an idle client does not start") }
        }
    }

    func measure(rounds: Int) throws(BenchFailure) -> [Measurement] {
        var samples: [Sample] = []
        for _ in 0..<rounds { samples.append(try sample()) }
        return Self.measurements(samples)
    }

    private func sample() throws(BenchFailure) -> Sample {
        let run = try runMemory()
        let daemon = try DaemonFixture(ipv6check: ipv6check)
        let alone = try MemoryUse(of: daemon.processes)
        var clients: [IdleClient] = []
        for _ in 0..<Self.clients { clients.append(try IdleClient([ipv6check] + daemon.simulator)) }
        let memory = try MemoryUse(of: daemon.processes)
        return withExtendedLifetime(clients) { Sample(run: run, alone: alone, daemon: memory) }
    }

    private func runMemory() throws(BenchFailure) -> MemoryUse {
        let client = try IdleClient([ipv6check])
        let processes = ProcessTree.processes(of: client.process.number)
        return try MemoryUse(of: processes.filter { Self.isOurs($0, like: client.process.number) })
    }

    /// Whether a process is one of ours: a client has executed another program.
    private static func isOurs(_ process: Int32, like runner: Int32) -> Bool {
        executable(of: process) == executable(of: runner)
    }

    private static func executable(of process: Int32) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
    }

    static func measurements(_ samples: [Sample]) -> [Measurement] {
        func measurement(
            _ name: String, _ use: KeyPath<Sample, MemoryUse>, _ octets: KeyPath<MemoryUse, Double>, aim: Aim? = nil
        ) -> Measurement {
            Measurement(
                .memory, name, "MB", samples.map { $0[keyPath: use.appending(path: octets)] / 1e6 }, aim: aim)
        }
        return [
            measurement("all processes of a run, PSS", \.run, \.proportional),
            measurement("all processes of a run, sum of RSS", \.run, \.resident),
            measurement("the daemon's own processes, no clients, PSS", \.alone, \.proportional),
            measurement(
                "the daemon's own processes, \(clients) idle clients, PSS", \.daemon, \.proportional, aim: daemonAim),
            measurement("the daemon's own processes, \(clients) idle clients, sum of RSS", \.daemon, \.resident),
        ]
    }
}
