// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import Testing
import Topology

@testable import Daemon

struct RestartTests {
    private func read(_ text: String) throws(YAMLFileError) -> DaemonConfiguration {
        try DaemonConfiguration(yaml: Array(text.utf8), name: "nat64sim.yaml")
    }

    @Test func `what needs a restart is named`() throws {
        let running = try read("version: 1")
        #expect(try read("version: 1\nprefix: 2001:db8:64::/96").needingRestart(against: running).isEmpty)
        let other = try read("version: 1\nclients: { most: 2 }\nlog: { level: debug }\nnat64: { ipv4-mtu: 1400 }")
        #expect(other.needingRestart(against: running) == ["clients: most", "nat64: ipv4-mtu"])
        let third = try read("version: 1\nclients: { everyone: true, here: nat64 }\ncontrol: { socket: /tmp/x }")
        #expect(third.needingRestart(against: running) == ["clients: group", "clients: here", "control: socket"])
        let world = try read("version: 1\nuplink: host\nclients: {}").needingRestart(against: running)
        #expect(world.contains("world: hosts: shop.test"))
        #expect(world.contains("uplink"))
    }

    @Test func `a host's link and path need a restart`() throws {
        let running = try read("version: 1")
        let host = try #require(running.world.hosts.first { "\($0.name)" == "shop.test." })
        var late = HostPath(to: "shop.test", host.addresses)
        late.link = try ConditionPlan.ofHost(["delay=80ms"])
        var new = running
        new.world.paths = [late]
        #expect(new.needingRestart(against: running) == ["world: hosts: shop.test: link"])
        #expect(running.needingRestart(against: new) == ["world: hosts: shop.test: link"])
        var further = new
        further.world.paths[0].routers = [HostPath.Router(mtu: 1400)]
        #expect(further.needingRestart(against: new) == ["world: hosts: shop.test: path"])
        #expect(further.needingRestart(against: further).isEmpty)
    }
}
