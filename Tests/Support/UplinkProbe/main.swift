// SPDX-License-Identifier: Apache-2.0
import Topology
import Glibc
import LinuxNet
import Router
import Sandbox
import Uplink
import Wire

// Uses the network in which it is started, says so, and stops when its standard input ends. Arguments: perhaps `--link` and a prefix for
// the clients, and entries of `allow:`.

@Sendable func say(_ line: String) {
    print(line)
    fflush(nil)
}

let inheritance = Inheritance.take()
do {
    var arguments = CommandLine.arguments.dropFirst()
    var link = ClientLink.standard
    if arguments.first == "--link" {
        link = try ClientLink(arguments.dropFirst().first ?? "")
        arguments = arguments.dropFirst(2)
    }
    let allow = try arguments.map { try AllowedEntry($0) }
    let uplink = try HostUplink.open(UplinkConfiguration(allow: allow), on: link, inheritance: inheritance)
    try uplink.keepUpToDate { say("changed: \($0.exceptions.map { "\($0)" })") }
    say("resolvers: \(uplink.network.resolvers.map { "\($0)" }.joined(separator: " "))")
    say("ignores AAAA: \(uplink.network.ignoresAAAA)")
    say("link: \(uplink.network.linkPrefix) \(uplink.network.link.ipv4) \(uplink.network.link.prefix)")
    say("open: \(getpid())")
    while readLine() != nil {}
    uplink.close()
    say("closed")
} catch {
    say("error: \(error)")
    exit(1)
}
