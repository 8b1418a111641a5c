// SPDX-License-Identifier: Apache-2.0
import Daemon
import Text
import Topology
import Wire

/// The message of a gateway that is ready: what it is, what the clients need, and which settings it has changed.
struct GatewayGreeting {
    private let gateway: DaemonStart.Gateway
    private let engine: EngineNetwork?

    /// - Parameter engine: the clients' network of Docker or Podman, if it is one.
    init(_ gateway: DaemonStart.Gateway, engine: EngineNetwork?) {
        self.gateway = gateway
        self.engine = engine
    }

    var text: String {
        ([
            "nat64sim gateway: ready",
            Notice.line(
                "NAT64",
                "\(list(gateway.prefixes)) by \(gateway.interface)"
                    + (gateway.uplinkInterface.map { ", as IPv4 by \($0) and this host's network" } ?? ", to a world")),
            Notice.line("DNS64", "\(gateway.resolver), for the clients alone: they need it as their DNS server"),
            Notice.line("clients", "\(list(gateway.plan.clients)) behind \(list(gateway.clientInterfaces))"),
        ] + changes + (engine?.needs(of: gateway.resolver) ?? []).map { Notice.line("needed", $0) } + warnings)
        .joined(separator: "\n")
    }

    private func list(_ items: [some CustomStringConvertible]) -> String {
        items.map(\.description).joined(separator: ", ")
    }

    private var changes: [String] {
        if gateway.changes.isEmpty { return [] }
        let settings = gateway.changes.map { "net.ipv6.conf." + $0.split(separator: "/").joined(separator: ".") }
        return [Notice.line("set", "\(list(settings)), until the end")]
    }

    /// Warnings, for example that Docker's tables drop packets that they do not know.
    private var warnings: [String] {
        var lines: [String] = []
        func warn(_ text: String, _ more: String...) {
            lines.append(Notice.line("warning", text))
            lines += more.map { Notice.line("", $0) }
        }
        if !gateway.keepsSources {
            warn("nft is missing: where an engine masquerades, clients cannot be told apart, or are refused.")
        }
        if gateway.droppingTables.contains("ip6 raw") {
            warn(
                "Docker drops what is routed to its containers (table ip6 raw). Make the network with",
                "-o com.docker.network.bridge.gateway_mode_ipv6=routed")
        }
        if drops("ip6") {
            warn(
                "this host drops IPv6 packets that it does not know. If clients get no answers, let theirs pass",
                "(where Docker is, by its chain DOCKER-USER in place of FORWARD):",
                accept("ip6tables", gateway.interface))
        }
        if let interface = gateway.uplinkInterface, drops("ip") {
            warn("this host drops IPv4 packets that it does not know. Likewise:", accept("iptables", interface))
        }
        return lines
    }

    private func drops(_ family: String) -> Bool {
        gateway.droppingTables.contains { $0.hasPrefix("\(family) filter") || $0.hasPrefix("inet ") }
    }

    private func accept(_ program: String, _ interface: String) -> String {
        "\(program) -I FORWARD -i \(interface) -j ACCEPT; \(program) -I FORWARD -o \(interface) -j ACCEPT"
    }
}
