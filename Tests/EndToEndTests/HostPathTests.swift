// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Hosts more than one link away (fixtures/worlds/far.yaml).
    @Suite struct HostPathTests {
        private static let file = Binaries.root.appending(path: "fixtures/worlds/far.yaml").path
        private var world: [String] { ["--world", Self.file] }

        /// The addresses in traceroute's lines; a star is a silent router.
        private func hops(_ output: Output) -> [String] {
            output.text.split(separator: "\n").dropFirst().map { line in
                line.split(separator: " ").dropFirst().first.map(String.init) ?? ""
            }
        }

        /// - Parameter far: the options that choose the far side; `world` if `nil`.
        private func trace(
            _ options: [String], network: String, as user: User = .root, _ far: [String]? = nil
        ) throws -> [String] {
            let output = try run(
                [Binaries.ipv6check, "--control", "never", "--network", network] + (far ?? world)
                    + ["traceroute", "-n", "-q", "1", "-w", "2"] + options, as: user, seconds: 60)
            expectPass(output)
            return hops(output)
        }

        @Test(arguments: User.available) func `traceroute shows IPv4 routers behind the NAT64, and a silent one`(
            user: User
        ) throws {
            let daemon = try RunningDaemon("world: \(Self.file)", as: user)
            defer { daemon.end() }
            for far in [world, ["--simulator", "unix:\(daemon.folder.path)/attach.sock"]] {
                let hops = try trace(["-6", "64:ff9b::203.0.113.9"], network: "nat64", as: user, far)
                #expect(
                    hops == ["2e00:2:0:1::1", "64:ff9b::c633:6465", "*", "64:ff9b::c633:6467", "64:ff9b::cb00:7109"])
            }
        }

        @Test func `by ICMP, by TCP, and over IPv6`() throws {
            for option in ["-I", "-T"] {
                let hops = try trace(["-6", option, "far.test"], network: "nat64")
                #expect(
                    hops == [
                        "2e00:2:0:1::1", "2e00:2:0:cafe::101", "*", "2e00:2:0:cafe::103", "2e00:2:0:cafe::9",
                    ], "\(option)")
            }
        }

        @Test func `the same routers on a dual-stack network and through a CLAT`() throws {
            let routers = ["198.51.100.101", "*", "198.51.100.103", "203.0.113.9"]
            #expect(try trace(["-4", "far.test"], network: "dual-stack") == ["192.0.2.1"] + routers)
            #expect(try trace(["-4", "far.test"], network: "nat64+clat").suffix(4) == routers)
        }

        /// Both directions discover the path's MTU (RFC 8201, RFC 1191); nothing gets through without it.
        @Test(arguments: User.available) func `a narrow link on the way is found by what it says`(user: User) throws {
            let output = try run(
                [Binaries.ipv6check, "--once", "--control", "never"] + world + [
                    "sh", "-c",
                    """
                    curl -fsS --max-time 10 -o /dev/null -w '%{size_download}\n' http://narrow.test/bytes/300000
                    head -c 300000 /dev/zero | curl -fsS --max-time 10 -T - http://narrow.test/echo | wc -c
                    """,
                ], as: user)
            expectPass(output)
            #expect(output.text == "300000\n300000\n", output.told)
        }

        @Test func `a router that is silent about it is a black hole`() throws {
            let output = try run(
                [Binaries.ipv6check, "--once", "--control", "never"] + world
                    + ["curl", "-sS", "--max-time", "3", "-o", "/dev/null", "http://hole.test/bytes/300000"],
                as: .root)
            #expect(output.status == 1 && output.standardError.contains("× packet-too-big"), output.told)
        }

        @Test(arguments: User.available) func `one host is far away, and another is not, for a daemon's client, too`(
            user: User
        ) throws {
            let daemon = try RunningDaemon("world: \(Self.file)", as: user)
            defer { daemon.end() }
            for simulator in [[], ["--simulator", "unix:\(daemon.folder.path)/attach.sock"]] {
                let output = try run(
                    [Binaries.ipv6check, "--once", "--control", "never"] + (simulator.isEmpty ? world : simulator) + [
                        "sh", "-c", "for host in far near; do ping -q -c 3 -i 0.2 $host.test | grep rtt; done",
                    ], as: user)
                expectPass(output)
                let times = output.text.matches(of: #/= ([0-9.]+)\//#).compactMap { Double($0.1) }
                #expect(times.count == 2 && times[0] >= 160 && times[1] < 80, output.told)
                #expect(output.standardError.contains("nat64, far.test: delay=80ms: to the client of 3"), output.told)
            }
        }
    }
}
