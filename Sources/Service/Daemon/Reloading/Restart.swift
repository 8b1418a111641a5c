// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import DNSWire
import Reports
import Router
import Topology

extension DaemonConfiguration {
    /// The keys whose new values take effect only after a restart of the daemon.
    ///
    /// A section that differs is always named, as a whole if none of the known keys differs, so that a new key is not forgotten.
    func needingRestart(against running: DaemonConfiguration) -> [String] {
        var keys = world.needingRestart(against: running.world).map { "world: \($0)" }
        let (newUplink, oldUplink) = (uplink?.withoutAllow, running.uplink?.withoutAllow)
        if newUplink != oldUplink {
            keys.append(newUplink == nil || oldUplink == nil ? "uplink" : "uplink: ignore-aaaa")
        }
        var clients = clients
        // It concerns future clients only.
        clients.link = running.clients.link
        if clients != running.clients {
            keys += Self.changed(
                "clients",
                [
                    ("socket", clients.socket != running.clients.socket),
                    ("most", clients.limit != running.clients.limit),
                    ("group", clients.permission != running.clients.permission),
                    ("here", clients.here != running.clients.here),
                ])
        }
        if lan != running.lan { keys.append("lan") }
        if control != running.control {
            keys += Self.changed(
                "control",
                [
                    ("socket", control.socket != running.control.socket),
                    ("group", control.permission != running.control.permission),
                ])
        }
        if links.worldMTU != running.links.worldMTU { keys.append("nat64: ipv4-mtu") }
        return keys
    }

    /// The keys that have changed, of a section that has.
    private static func changed(_ section: String, _ keys: [(name: String, isOther: Bool)]) -> [String] {
        let names = keys.filter(\.isOther).map { "\(section): \($0.name)" }
        return names.isEmpty ? [section] : names
    }
}

extension UplinkConfiguration {
    /// The destinations that may be reached can change at any time, so they are left out.
    fileprivate var withoutAllow: UplinkConfiguration {
        var rest = self
        rest.allow = []
        return rest
    }
}

extension World {
    /// Addresses and sockets need rights that a running daemon has given up. Records and zones follow the hosts: a DNS record of a
    /// host that does not exist is of no use.
    fileprivate func needingRestart(against running: World) -> [String] {
        var keys: [String] = []
        let hosts = Set(hosts).symmetricDifference(running.hosts)
        keys += Set(hosts.map { "hosts: \($0.name.withoutFinalDot)" }).sorted()
        keys += changedWays(against: running, but: Set(hosts.map(\.name.withoutFinalDot)))
        if !hosts.isEmpty && (records != running.records || zones != running.zones) { keys.append("records") }
        if hosts.isEmpty && services != running.services {
            let changed = Set(services).symmetricDifference(running.services).flatMap { service in
                service.hostNames.map { "hosts: \($0.withoutFinalDot): \(service.kind.word)" }
            }
            keys += Set(changed).sorted()
        }
        if forwarders != running.forwarders { keys.append("forwarders") }
        if validation != running.validation { keys.append("dnssec") }
        return keys
    }

    /// The routes to hosts are in the routers of attached clients.
    private func changedWays(against running: World, but changed: Set<String>) -> [String] {
        Set((paths + running.paths).map(\.name)).subtracting(changed).sorted().flatMap { name in
            let (new, old) = (way(to: name), running.way(to: name))
            var keys: [String] = []
            if new.link != old.link { keys.append("hosts: \(name): link") }
            if new.routers != old.routers { keys.append("hosts: \(name): path") }
            return keys
        }
    }

    private func way(to host: String) -> HostPath { paths.first { $0.name == host } ?? HostPath(to: host, []) }
}
