// SPDX-License-Identifier: Apache-2.0
import Daemon
import Text
import Topology
import Translation
import Wire

/// The message of a daemon that serves a LAN: what devices find there, and what has to be set on the host.
struct LANGreeting {
    private let lan: DaemonStart.LAN

    init(_ lan: DaemonStart.LAN) {
        self.lan = lan
    }

    var text: String {
        let prefixes = lan.prefixes.map { "\($0)" }.joined(separator: ", ")
        return
            ([
                "nat64sim serve: ready for devices on \(lan.plan.interface)",
                Notice.line("router", "\(NetworkPlan.linkLocalRouter) at \(lan.router)"),
                Notice.line("NAT64", prefixes + (lan.hasUplink ? ", as IPv4 by this host's network" : ", to a world")),
                Notice.line("DNS64", "\(lan.resolver)"),
                Notice.line(
                    "devices",
                    "at most \(lan.places), each with a prefix of its own from \(lan.devices); see nat64sim clients"),
            ] + warnings).joined(separator: "\n")
    }

    private var warnings: [String] {
        guard let reason = lan.reasonForHearing else { return [] }
        let words = "this host's own network hears the devices, too (\(reason))"
        return [
            Notice.line(
                "warning", words + (lan.isHostForwarding ? ", and would forward what they send to its own address" : "")
            )
        ]
    }
}
