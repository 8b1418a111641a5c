// SPDX-License-Identifier: Apache-2.0
import Foundation
import NetworkLab
import Testing

@Suite(.serialized, .enabled(if: geteuid() == 0, "needs root to make a host, and /dev/net/tun"))
struct HostUplinkTests {
    @Test func `clients reach public servers and not the rest`() throws {
        let lab = try Lab()
        let probe = try Probe(at: lab, allow: ["10.9.9.9"])
        #expect(probe.error == nil)
        try lab.connectClient()

        #expect(try lab.reaches("8.8.4.4"))
        #expect(try lab.reaches("10.9.9.9"))
        for refused in ["10.9.9.8", "169.254.169.254", "203.0.113.1"] {
            #expect(try lab.output(at: .host, "curl", "-s", "-m", "1", "http://\(refused)/").status == 0)
            #expect(try !lab.reaches(refused), "\(refused)")
        }
    }

    @Test func `the host's own addresses are out of reach even the router's`() throws {
        let lab = try Lab()
        let probe = try Probe(at: lab, allow: ["203.0.113.0/24"])
        try lab.connectClient()
        #expect(try lab.reaches("203.0.113.1"))
        for own in ["203.0.113.2", "192.0.2.1"] {
            #expect(try lab.output(at: .host, "curl", "-s", "-m", "1", "http://\(own)/").status == 0)
            #expect(try !lab.reaches(own), "\(own)")
        }
        probe.close()
    }

    @Test func `what a cloud tells its machines is out of reach whatever is allowed`() throws {
        let lab = try Lab()
        let probe = try Probe(at: lab, allow: ["168.63.128.0/17", "100.64.0.0/10"])
        try lab.connectClient()
        #expect(try lab.reaches("168.63.129.17") && lab.reaches("100.100.100.201"))
        for refused in ["168.63.129.16", "100.100.100.200", "192.88.99.1"] {
            #expect(try lab.output(at: .host, "curl", "-s", "-m", "1", "http://\(refused)/").status == 0)
            #expect(try !lab.reaches(refused), "\(refused)")
        }
        probe.close()
    }

    @Test func `the relays of 6to4 are reached if they are allowed`() throws {
        let lab = try Lab()
        let probe = try Probe(at: lab, allow: ["192.88.99.0/24"])
        try lab.connectClient()
        #expect(try lab.reaches("192.88.99.1"))
        probe.close()
    }

    @Test func `a service at all addresses of the host does not answer at the router's`() throws {
        let lab = try Lab()
        try lab.startNames(at: "0.0.0.0")
        let probe = try Probe(at: lab)
        try lab.connectClient()
        #expect(try lab.names(from: .host, at: "203.0.113.2") == ["udp", "tcp"])
        #expect(try lab.names(from: .client, at: "192.0.2.1").isEmpty)
        #expect(try lab.names(from: .client, at: "203.0.113.2").isEmpty)
        probe.close()
    }

    @Test func `a service at the router's address itself answers`() throws {
        let lab = try Lab()
        let probe = try Probe(at: lab)
        try lab.startNames(at: "192.0.2.1")
        try lab.connectClient()
        #expect(try lab.names(from: .client, at: "192.0.2.1") == ["udp", "tcp"])
        probe.close()
    }

    /// As Docker does it for a published port without its proxy.
    @Test func `what others publish on port 53 of the host does not answer at the router's address`() throws {
        let lab = try Lab()
        try lab.startNames(on: .server, at: "203.0.113.1")
        let rules = """
            table inet docker {
                chain publishing {
                    type nat hook prerouting priority dstnat
                    fib daddr type local meta l4proto { tcp, udp } th dport 53 dnat ip to 203.0.113.1:53
                }
            }
            """
        #expect(try lab.output(at: .host, "nft", rules).status == 0)
        let probe = try Probe(at: lab)
        try lab.connectClient()
        #expect(try lab.names(from: .client, at: "192.0.2.1").isEmpty)
        probe.close()
    }

    /// As in an image without Debian's netbase.
    @Test func `protocols need no names on the host`() throws {
        let lab = try Lab()
        let probe = try Probe(at: lab, mount: "mount --bind /dev/null /etc/protocols")
        #expect(probe.error == nil)
        try lab.connectClient()
        #expect(try lab.output(at: .client, "ping", "-c", "1", "-W", "1", "192.0.2.1").status == 0)
        probe.close()
    }

    @Test func `nobody from outside reaches a client`() throws {
        let lab = try Lab()
        let probe = try Probe(at: lab)
        try lab.connectClient()
        _ = try lab.output(at: .server, "ip", "route", "add", "192.0.2.64/32", "via", "203.0.113.2")
        let server = try lab.output(at: .server, "ping", "-c", "1", "-W", "1", "192.0.2.64")
        #expect(server.status == 1)
        #expect(try lab.output(at: .client, "ping", "-c", "1", "-W", "1", "8.8.4.4").status == 0)
        probe.close()
    }

    @Test func `the end leaves the host as it was`() throws {
        let lab = try Lab()
        let before = try lab.state()
        let probe = try Probe(at: lab)
        let during = try lab.state()
        #expect(during != before)
        #expect(during.contains("table inet nat64sim"))
        probe.close()
        #expect(try lab.state() == before)
    }

    @Test func `so does SIGKILL`() throws {
        let lab = try Lab()
        let before = try lab.state()
        let probe = try Probe(at: lab)
        probe.killed()
        try eventually("the script tidies up") { try lab.state() == before }
    }

    @Test func `the next start tidies up where everything was killed`() throws {
        let lab = try Lab()
        let before = try lab.state()
        let probe = try Probe(at: lab)
        let number = try #require(probe.number)
        _ = try lab.output(at: .host, "pkill", "-KILL", "-P", "\(number)")
        probe.killed()
        #expect(try lab.state().contains("table inet nat64sim"))

        let successor = try Probe(at: lab)
        #expect(successor.error == nil)
        successor.close()
        #expect(try lab.state() == before)
    }

    @Test func `a successor waits for a predecessor that tidies up`() throws {
        let lab = try Lab()
        for _ in 0..<3 {
            let probe = try Probe(at: lab)
            probe.killed()
            let successor = try Probe(at: lab)
            #expect(successor.error == nil)
            #expect(try lab.state().contains("table inet nat64sim"))
            successor.close()
        }
    }

    @Test func `a host on the simulator's own network is not disturbed`() throws {
        let lab = try Lab()
        _ = try lab.output(at: .host, "ip", "address", "add", "192.0.2.77/24", "dev", "outside")
        let before = try lab.state()
        let probe = try Probe(at: lab)
        #expect(probe.link == "nat64sim- 198.19.1.0/24 2e00:2:0:101::/64")
        probe.close()
        #expect(try lab.state() == before)
    }

    @Test func `a host on the prefix that was asked for is told so`() throws {
        let lab = try Lab()
        _ = try lab.output(at: .host, "ip", "address", "add", "2001:db8:1:2::77/64", "dev", "outside", "nodad")
        let before = try lab.state()
        let probe = try Probe(at: lab, link: "2001:db8:1:2::/64")
        #expect(probe.error?.hasPrefix("this host has the address 2001:db8:1:2::77") == true)
        try eventually("nothing is left") { try lab.state() == before }
    }

    @Test func `forwarding that cannot be switched on is said with the remedy`() throws {
        let lab = try Lab()
        let before = try lab.state()
        let probe = try Probe(
            at: lab, mount: "mount --bind -o ro /proc/sys /proc/sys && mount -o remount,bind,ro /proc/sys")
        let error = try #require(probe.error)
        #expect(error.contains("IPv4 forwarding is off and cannot be switched on"))
        #expect(error.contains("--sysctl net.ipv4.ip_forward=1"))
        try eventually("nothing is left") { try lab.state() == before }
    }

    @Test func `a host that forwards goes on forwarding`() throws {
        let lab = try Lab()
        _ = try lab.output(at: .host, "sysctl", "-qw", "net.ipv4.ip_forward=1")
        let before = try lab.state()
        let probe = try Probe(at: lab)
        #expect(try !lab.output(at: .host, "nft", "list", "ruleset").text.contains("policy drop"))
        probe.close()
        #expect(try lab.state() == before)
    }

    @Test func `names of the host are followed`() throws {
        let lab = try Lab()
        let hosts = FileManager.default.temporaryDirectory.appending(path: "uplink-hosts-\(UUID().uuidString)")
        try "127.0.0.1 localhost\n".write(to: hosts, atomically: false, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: hosts) }
        let probe = try Probe(at: lab, allow: ["database"], mount: "mount --bind \(hosts.path) /etc/hosts")
        try lab.connectClient()
        #expect(try !lab.reaches("10.9.9.8"))

        let file = try FileHandle(forWritingTo: hosts)
        try file.write(contentsOf: Data("10.9.9.8 database\n".utf8))
        #expect(probe.readLine() == "changed: [\"10.9.9.8/32\"]")
        #expect(try lab.reaches("10.9.9.8"))
        #expect(try !lab.reaches("10.9.9.9"))
        probe.close()
    }
}
