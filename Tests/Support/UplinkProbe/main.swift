// SPDX-License-Identifier: Apache-2.0
import Topology
import Glibc
import LinuxNet
import Router
import Sandbox
import Uplink
import Wire

// Uses the network in which it is started, says so, and stops when its standard input ends. Arguments: entries of `allow:`.

@Sendable func say(_ line: String) {
    print(line)
    fflush(nil)
}

let inheritance = Inheritance.take()
let network = SimulatedNetwork(
    ipv6: IPv6Prefix("2e00:2:0:1::/64")!, ipv4: IPv4Prefix("192.0.2.0/24")!,
    ipv6Router: IPv6Address("2e00:2:0:1::1")!, ipv4Router: IPv4Address("192.0.2.1")!)
do {
    let allow = try CommandLine.arguments.dropFirst().map { try AllowedEntry($0) }
    let uplink = try HostUplink.open(UplinkConfiguration(allow: allow), for: network, inheritance: inheritance)
    try uplink.keepUpToDate { say("changed: \($0.exceptions.map { "\($0)" })") }
    say("resolvers: \(uplink.network.resolvers.map { "\($0)" }.joined(separator: " "))")
    say("ignores AAAA: \(uplink.network.ignoresAAAA)")
    say("open: \(getpid())")
    while readLine() != nil {}
    uplink.close()
    say("closed")
} catch {
    say("error: \(error)")
    exit(1)
}
