// SPDX-License-Identifier: Apache-2.0
/// The least translator, between two TUNs like ours:
///
///      client namespace                                        this process's namespace
///     +-----------------+  TUN   +------------------+   TUN   +-------+
///     | iperf3 --client |<------>| LeastTranslator  |<------->| world |
///     +-----------------+        +------------------+         +-------+
final class LeastFixture: Way {
    private let keeper: ChildProcess
    private let translator: ChildProcess

    /// - Parameter number: unique to each such place.
    init(_ program: String, _ kind: String, number: Int) throws(BenchFailure) {
        if let absence = ForeignProgram.absence(of: program) { throw BenchFailure(absence) }
        keeper = try ChildProcess.service(
            "unshare", "--net", "sh", "-c", "echo ready; exec sleep infinity", output: .read)
        if keeper.readLine().isEmpty { throw BenchFailure("no namespace for the client of LeastTranslator") }
        let (client, pool, tun) = ("2001:db8:\(number):6::2", "192.168.254.\(number)", "least\(number)")
        let inside = ["nsenter", "--target", "\(keeper.number)", "--net", "ip"]
        for (ip, name) in [(["ip"], tun), (inside, "eth0")] {
            try ChildProcess.run(ip + ["tuntap", "add", "dev", name, "mode", "tun", "vnet_hdr"])
        }
        translator = try ChildProcess.service(
            program, kind, "/proc/\(keeper.number)/ns/net", "eth0", tun, client, pool, output: .read)
        if translator.readLine() != "ready\n" { throw BenchFailure("LeastTranslator does not start") }
        for command in [["link", "set", tun, "up"], ["route", "add", pool, "dev", tun]] {
            try ChildProcess.run(["ip"] + command)
        }
        for command in [
            ["link", "set", "eth0", "up"], ["address", "add", "\(client)/64", "dev", "eth0", "nodad"],
            ["-6", "route", "add", "default", "dev", "eth0"],
        ] {
            try ChildProcess.run(inside + command)
        }
    }

    var processorTime: Double { ProcessClock.time(of: translator.number) }

    func address(of host: String) -> String { "64:ff9b::\(host)" }

    func run(_ command: [String], within limit: Duration) throws(BenchFailure) -> String {
        try ChildProcess.run(["nsenter", "--target", "\(keeper.number)", "--net"] + command)
    }
}
