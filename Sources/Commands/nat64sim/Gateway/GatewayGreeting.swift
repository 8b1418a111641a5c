// SPDX-License-Identifier: Apache-2.0
import Daemon
import Text
import Topology
import Wire

/// What a gateway says when it serves: what it is, what the clients need, what it has changed.
struct GatewayGreeting {
    private let gateway: DaemonStart.Gateway

    init(_ gateway: DaemonStart.Gateway) { self.gateway = gateway }

    var text: String {
        ([
            "nat64sim gateway: ready",
            line(
                "NAT64",
                "\(list(gateway.prefixes)) by \(gateway.interface)"
                    + (gateway.uplinkInterface.map { ", as IPv4 by \($0) and this host's network" } ?? ", to a world")),
            line("DNS64", "\(gateway.resolver), for the clients alone: they need it as their DNS server"),
            line("clients", "\(list(gateway.plan.clients)) behind \(list(gateway.clientInterfaces))"),
        ] + changes + warnings).joined(separator: "\n")
    }

    private func line(_ heading: String, _ text: String) -> String { "  \(heading.padded(to: 8)) \(text)" }

    private func list(_ items: [some CustomStringConvertible]) -> String {
        items.map(\.description).joined(separator: ", ")
    }

    private var changes: [String] {
        if gateway.changes.isEmpty { return [] }
        let settings = gateway.changes.map { "net.ipv6.conf." + $0.split(separator: "/").joined(separator: ".") }
        return [line("set", "\(list(settings)), until the end")]
    }

    /// Docker's tables drop what they do not know.
    private var warnings: [String] {
        var lines: [String] = []
        if gateway.droppingTables.contains(where: { $0.hasPrefix("ip6 ") || $0.hasPrefix("inet ") }) {
            lines += [
                line("warning", "this host drops IPv6 packets that it does not know (\(list(gateway.droppingTables)))."),
                line("", "If the clients get no answers, let theirs pass (where Docker is, DOCKER-USER in place of FORWARD):"),
                line("", "ip6tables -I FORWARD -i \(gateway.interface) -j ACCEPT; ip6tables -I FORWARD -o \(gateway.interface) -j ACCEPT"),
            ]
        }
        if let interface = gateway.uplinkInterface,
            gateway.droppingTables.contains(where: { $0.hasPrefix("ip ") || $0.hasPrefix("inet ") })
        {
            lines += [
                line("warning", "this host drops IPv4 packets that it does not know (\(list(gateway.droppingTables))). Likewise:"),
                line("", "iptables -I FORWARD -i \(interface) -j ACCEPT; iptables -I FORWARD -o \(interface) -j ACCEPT"),
            ]
        }
        return lines
    }
}
