// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Debian's tayga, between a client namespace and the world, which is this process's namespace.
///
///      client namespace             this process's namespace
///     +-----------------+  veth    +--------------------------------------------+
///     | iperf3 --client |<-------->| IPv6 forwarding <-> TUN of tayga <-> world |
///     +-----------------+          +--------------------------------------------+
///
/// The hosts are the same as in the simulated network, and there is one kernel hop less: TAYGA reads IPv6 from and writes IPv4 to the same
/// TUN.
final class TaygaFixture: Way {
    private let keeper: ChildProcess
    private let tayga: ChildProcess
    private let configuration: TemporaryFile

    private static let prefix = "2001:db8:64::"

    init() throws(BenchFailure) {
        if let absence = ForeignProgram.absence(of: "tayga") { throw BenchFailure(absence) }
        let keeper = try ChildProcess.service(
            "unshare", "--net", "sh", "-c", "echo ready; exec sleep infinity", output: .read)
        if keeper.readLine().isEmpty { throw BenchFailure("no namespace for tayga's client") }
        try Self.connect(keeper.number)

        let configuration = try TemporaryFile(
            """
            tun-device tayga
            prefix \(Self.prefix)/96
            ipv4-addr 192.168.255.1
            dynamic-pool 192.168.255.0/24

            """)
        // Not by `tayga --mktun`: it wants to give the device to root, a user that a user namespace may not know.
        try ChildProcess.run("ip", "tuntap", "add", "dev", "tayga", "mode", "tun")
        try ChildProcess.run("ip", "link", "set", "tayga", "up")
        try ChildProcess.run("ip", "route", "add", "192.168.255.0/24", "dev", "tayga")
        try ChildProcess.run("ip", "route", "add", "\(Self.prefix)/96", "dev", "tayga")
        let tayga = try ChildProcess.service("tayga", "--config", configuration.path, "--nodetach")
        try Self.waitUntilAttached()
        self.keeper = keeper
        self.tayga = tayga
        self.configuration = configuration
    }

    /// The link between the two namespaces, and the routes to tayga.
    private static func connect(_ client: Int32) throws(BenchFailure) {
        try ChildProcess.run("ip", "link", "add", "taygaclient", "type", "veth", "peer", "eth0", "netns", "\(client)")
        try ChildProcess.run("ip", "address", "add", "2001:db8:1::1/64", "dev", "taygaclient", "nodad")
        try ChildProcess.run("ip", "link", "set", "taygaclient", "up")
        try enableForwarding()
        for command in [
            ["link", "set", "eth0", "up"], ["address", "add", "2001:db8:1::2/64", "dev", "eth0", "nodad"],
            ["route", "add", "default", "via", "2001:db8:1::1"],
        ] {
            try ChildProcess.run(["nsenter", "--target", "\(client)", "--net", "ip"] + command)
        }
    }

    private static func enableForwarding() throws(BenchFailure) {
        try ChildProcess.run("sh", "-c", "echo 1 >/proc/sys/net/ipv6/conf/all/forwarding")
    }

    private static func waitUntilAttached() throws(BenchFailure) {
        for _ in 0..<100 {
            if try ChildProcess.run("ip", "-oneline", "link", "show", "tayga").contains("LOWER_UP") { return }
            usleep(50_000)
        }
        throw BenchFailure("tayga does not start")
    }

    var processorTime: Double { ProcessClock.time(of: tayga.number) }

    func address(of host: String) -> String { Self.prefix + host }

    func run(_ command: [String], within limit: Duration) throws(BenchFailure) -> String {
        try ChildProcess.run(["nsenter", "--target", "\(keeper.number)", "--net"] + command)
    }
}
