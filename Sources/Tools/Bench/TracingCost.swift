// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Wire

/// The cost of tracing a client: the same clients with and without tracing, in turns.
struct TracingCost {
    let ipv6check: String

    private struct Client {
        var name: String
        var command: [String]
        /// A program that the client needs; the client is left out if it is missing.
        var program: String?
    }

    /// 10,000 connects of UDP sockets: no packet is sent, so only the calls are measured.
    private static let connects = """
        import socket
        for _ in range(10000):
            s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
            s.connect(("64:ff9b::c633:6407", 7)); s.close()
        """
    /// Each test opens a file, as typical tests do.
    private static let tests = """
        import unittest
        def one(self):
            with open("/etc/hostname") as file: self.assertIsNotNone(file.read())
        Tests = type("Tests", (unittest.TestCase,), {f"test_{n}": one for n in range(500)})
        unittest.main()
        """
    private static let clients = [
        Client(name: "true", command: ["true"]),
        Client(
            name: "ten compilations (cc)",
            command: [
                "sh", "-c",
                "for i in 1 2 3 4 5 6 7 8 9 10; do echo '#include <stdio.h>\nint main(void) { return puts(\"\"); }' | cc -x c -O1 -c -o /dev/null - || exit 1; done",
            ], program: "cc"),
        Client(name: "500 tests (unittest)", command: ["python3", "-c", tests, "-q"], program: "python3"),
        Client(name: "10,000 connects", command: ["python3", "-c", connects], program: "python3"),
        Client(
            name: "Chromium, one page",
            command: [
                "chromium", "--headless", "--no-sandbox", "--disable-gpu",
                "--user-data-dir=/tmp/ipv6check-bench-chromium",
                "--dump-dom", "http://shop.test/",
            ], program: "chromium"),
    ]

    func measure(rounds: Int) throws(BenchFailure) -> [Measurement] {
        var measurements: [Measurement] = []
        for client in Self.clients where try Self.isThere(client) {
            var plain: [Double] = []
            var traced: [Double] = []
            _ = try milliseconds(client, "never")
            for _ in 0..<rounds {
                plain.append(try milliseconds(client, "never"))
                traced.append(try milliseconds(client, "always"))
            }
            let base = Measurement(.trace, client.name, "ms", plain)
            measurements += [base, Measurement(.trace, "\(client.name), traced", "ms", traced).compared(with: base)]
        }
        return measurements
    }

    private static func isThere(_ client: Client) throws(BenchFailure) -> Bool {
        guard let program = client.program else { return true }
        var process = try ChildProcess(["sh", "-c", "command -v \(program)"])
        return process.wait() == 0
    }

    private func milliseconds(_ client: Client, _ trace: String) throws(BenchFailure) -> Double {
        let start = MonotonicClock.now()
        var process = try ChildProcess([ipv6check, "--quiet", "--once", "--trace", trace, "--"] + client.command)
        let status = process.wait()
        let duration = MonotonicClock.now() - start
        if status != 0 { throw BenchFailure("\(client.name), --trace \(trace): exit code \(status)") }
        return Double(duration.wholeNanoseconds) / 1e6
    }
}
