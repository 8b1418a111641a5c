// SPDX-License-Identifier: Apache-2.0
import ConfigurationFiles
import DNS64
import Evidence
import NAT64
import Router
import Testing
import Topology
import Translation
import Wire

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

    @Test func `a LAN is an interface, or what is known of its devices`() throws {
        #expect(try read("version: 1\nlan: wlan0").lan == LANPlan(interface: "wlan0"))
        let lan = try #require(
            try read(
                """
                version: 1
                lan:
                  interface: eth1
                  network: strict
                  ipv6-only-wait: 5m
                  devices:
                    - { mac: "02:00:5e:10:00:01", name: phone, network: nat64, link: "ra,no-pref64", conditions: [3g] }
                    - { mac: "3C:22:FB:0:1:2" }
                """
            ).lan)
        #expect(lan.interface == "eth1" && lan.network == .strict && lan.ipv6OnlyTime == 300)
        let phone = lan[EthernetAddress("02:00:5e:10:00:01")!]
        #expect(phone.name == "phone" && phone.network == .nat64)
        #expect(phone.wishes == LinkWishes(conditions: ["3g"], setup: "ra,no-pref64"))
        #expect(lan[EthernetAddress("3c:22:fb:00:01:02")!] == DevicePlan())
        #expect(try read("version: 1\nlan: { interface: eth1, ipv6-only-wait: none }").lan?.ipv6OnlyTime == nil)
    }

    @Test(arguments: [
        ("lan: {}", "interface is missing"), ("lan: [a]", "an interface is a name"),
        ("lan: { interface: a, network: dual-stack }", "network must be one of nat64, nat64-no-dns64 and strict"),
        ("lan: { interface: a, ipv6-only-wait: 1m }", "from 5m to 24h"),
        ("lan: { interface: a, devices: [{ name: x }] }", "mac is missing"),
        ("lan: { interface: a, devices: [{ mac: 1234 }] }", "mac is an Ethernet address"),
        ("lan: { interface: a, devices: [{ mac: \"01:00:5e:00:00:01\" }] }", "mac is an Ethernet address"),
        ("lan: { interface: a, devices: [{ mac: \"2:0:0:0:0:1\" }, { mac: \"2:0:0:0:0:1\" }] }", "is there already"),
        ("lan: { interface: a, devices: [{ mac: \"2:0:0:0:0:1\", link: static }] }", "a device's link is ra"),
        ("lan: { interface: a, devices: [{ mac: \"2:0:0:0:0:1\", conditions: [5G] }] }", "conditions"),
        ("lan: a\nclients: { prefix: apple }", "cannot be had together"),
    ])
    func `what is no LAN is told`(_ text: String, _ words: String) {
        let told = problems("version: 1\n\(text)")
        #expect(told.first?.contains(words) == true, "\(told)")
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
