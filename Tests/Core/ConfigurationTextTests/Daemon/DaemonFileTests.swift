// SPDX-License-Identifier: Apache-2.0
import ConfigurationFiles
import DNS64
import Evidence
import NAT64
import Router
import Testing
import Topology
import Translation

@testable import ConfigurationText

struct DaemonFileTests {
    private func read(_ text: String) throws(YAMLFileError) -> DaemonConfiguration {
        try DaemonConfiguration(yaml: Array(text.utf8), name: "nat64sim.yaml", reading: readFile(_:maximum:))
    }

    /// The messages for a text that has mistakes.
    private func problems(_ text: String) -> [String] {
        do throws(YAMLFileError) {
            _ = try read(text)
            return []
        } catch {
            return "\(error)".split(separator: "\n").map(String.init)
        }
    }

    @Test func `a version is enough`() throws {
        let configuration = try read("version: 1")
        #expect(configuration.clients.socket == "/run/nat64sim/attach.sock")
        #expect(configuration.control.socket == "/run/nat64sim/control.sock")
        #expect(configuration.clients.limit == 32)
        #expect(configuration.clients.permission == .owner)
        #expect(configuration.world.translatedPrefixes == [.wellKnown])
    }

    @Test func `fragments are as large as the client's link takes, unless the file says otherwise`() throws {
        #expect(try read("version: 1").translator.nat64.translation.lowestIPv6MTU == 65_535)
        let named = try read("version: 1\nnat64: { ipv6-mtu: 1500, lowest-ipv6-mtu: 1280 }")
        #expect(named.translator.nat64.translation.lowestIPv6MTU == 1280)
    }

    @Test func `every section is read`() throws {
        let configuration = try read(
            """
            version: 1
            world: demo
            prefix: 2001:db8:64::/96
            dns64: { profile: google, faults: [shop.test AAAA drop] }
            nat64: { ipv6-mtu: 1280, limits: { sessions: 100 }, faults: { ipv4-black-hole: 1400 } }
            clients: { socket: /tmp/a.sock, most: 3, group: testers, here: nat64 }
            control: { socket: /tmp/c.sock, everyone: true }
            log: { format: json, level: debug }
            """)
        #expect(configuration.world.translatedPrefixes == [try Pref64("2001:db8:64::/96")])
        #expect(configuration.world.dns64.resolver.faults.count == 1)
        #expect(configuration.links.clientMTU == 1280)
        #expect(configuration.links.faults.ipv4BlackHole == 1400)
        #expect(configuration.translator.nat64.limits.sessions == 100)
        #expect(configuration.translator.nat64.limits.bindings == 65_536)
        #expect(
            configuration.clients
                == DaemonConfiguration.Clients(
                    socket: "/tmp/a.sock", limit: 3, permission: .group("testers"), here: .nat64))
        #expect(configuration.control == DaemonConfiguration.Control(socket: "/tmp/c.sock", permission: .everyone))
        #expect(configuration.log == DaemonConfiguration.Log(format: .json, level: .debug))
    }

    @Test func `mistakes are told with their places all at once`() {
        #expect(
            problems(
                """
                version: 1
                prefix: 2001:db8::/95
                client: { most: 3 }
                clients: { most: 33, group: [a] }
                nat64: { pool: 192.0.2.9 }
                log: { format: xml }
                """
            ).map { String($0.prefix(44)) } == [
                "nat64sim.yaml:2:9: a Pref64 has a length of ",
                "nat64sim.yaml:3:1: unknown key \"client\" (did",
                "nat64sim.yaml:4:18: most must be a number fr",
                "nat64sim.yaml:4:29: group is a group's name ",
                "nat64sim.yaml:5:16: pool has no place here: ",
                "nat64sim.yaml:6:16: format must be one of te",
            ])
    }

    @Test func `the uplink is read and takes the world's hosts away`() throws {
        let configuration = try read(
            "version: 1\nuplink: { network: host, allow: [10.1.2.0/24, db], ignore-aaaa: always }")
        #expect(configuration.uplink?.allow.map(\.description) == ["10.1.2.0/24", "db"])
        #expect(configuration.uplink?.ignoredAAAA == .always)
        #expect(configuration.world.hosts.isEmpty)
        #expect(try read("version: 1\nuplink: hermetic").uplink == nil)
        #expect(try read("version: 1\nuplink: host").uplink?.allow.isEmpty == true)
        #expect(problems("version: 1\nuplink: { allow: [db] }").first?.contains("write network: host") == true)
        #expect(problems("version: 1\nuplink: { network: hermetic, allow: [db] }").count == 1)
        #expect(problems("version: 1\nuplink: host\nworld: demo").first?.contains("can have no hosts") == true)
        #expect(problems("version: 1\nuplink: host\nclients: { here: nat64 }").count == 1)
    }

    @Test func `a prefix that contains the world is refused`() {
        #expect(problems("version: 1\nprefix: 2e00:2:0:cafe::/64").first?.contains("contains 2e00:2:0:cafe::") == true)
    }

    @Test func `a world that is not there is told in its place`() {
        let told = problems("version: 1\nworld: nowhere.yaml")
        #expect(told.first == "nat64sim.yaml:2:8: the world cannot be used:")
        #expect(told.last == "nowhere.yaml: there is no such file")
    }

    @Test func `everybody and a group contradict each other`() {
        #expect(problems("version: 1\nclients: { group: a, everyone: true }").count == 1)
    }
}
