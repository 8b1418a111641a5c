// SPDX-License-Identifier: Apache-2.0
import Foundation
import NetworkLab
import Testing

@Suite(.serialized, .enabled(if: geteuid() == 0, "needs root to make a host, and /dev/net/tun"))
struct PastaTests {
    @Test func `an ordinary user's clients reach public servers and not the rest`() throws {
        let lab = try Lab()
        let probe = try Probe(at: lab, asNobody: true, allow: ["10.9.9.9", "203.0.113.0/24"])
        let number = try #require(probe.number, Comment(rawValue: probe.error ?? ""))
        try lab.connectClient(to: number)

        #expect(try lab.reaches("8.8.4.4"))
        #expect(try lab.reaches("10.9.9.9"))
        #expect(try lab.reaches("203.0.113.1"))
        for refused in ["10.9.9.8", "169.254.169.254", "203.0.113.2", "192.0.2.1", "192.0.0.1", "192.0.0.3"] {
            #expect(try !lab.reaches(refused), "\(refused)")
        }
        probe.close()
    }

    @Test func `nothing is left on the host however it ends`() throws {
        let lab = try Lab()
        for isKilled in [false, true] {
            let probe = try Probe(at: lab, asNobody: true)
            let number = try #require(probe.number, Comment(rawValue: probe.error ?? ""))
            let children = descendants(of: number)
            #expect(children.count >= 3)
            #expect(try lab.output(at: .host, "nft", "list", "ruleset").text.isEmpty)
            if isKilled { probe.killed() } else { probe.close() }
            try eventually("pasta and the scripts end") { children.allSatisfy { kill($0, 0) != 0 } }
        }
    }

    @Test func `a resolver on the host's loopback answers`() throws {
        let lab = try Lab()
        let configuration = FileManager.default.temporaryDirectory.appending(path: "uplink-resolv-\(UUID().uuidString)")
        try "nameserver 127.0.0.53\n".write(to: configuration, atomically: false, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: configuration) }
        // It sends every question back.
        let echo = """
            import socket
            s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            s.bind(("127.0.0.53", 53))
            while True:
                question, peer = s.recvfrom(4096)
                s.sendto(b"answer to " + question, peer)
            """
        let server = try lab.start(at: .host, "python3", "-c", echo)
        defer { server.terminate() }
        let probe = try Probe(
            at: lab, asNobody: true, allow: ["192.0.0.0/29"],
            mount: "mount --bind \(configuration.path) /etc/resolv.conf")
        let number = try #require(probe.number, Comment(rawValue: probe.error ?? ""))
        #expect(probe.said.contains("resolvers: 192.0.0.3"))
        let ask = """
            import socket
            s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            s.settimeout(1)
            s.sendto(b"question", ("192.0.0.3", 53))
            print(s.recvfrom(4096)[0].decode())
            """
        try eventually("an answer") {
            try lab.output(inNetworkOf: number, "python3", "-c", ask).text == "answer to question\n"
        }

        try lab.connectClient(to: number)
        #expect(try lab.reaches("8.8.4.4"))
        for address in ["192.0.0.1", "192.0.0.2", "192.0.0.3"] { #expect(try !lab.reaches(address), "\(address)") }
        probe.close()
    }

    @Test func `without pasta it is said how to get it`() throws {
        let lab = try Lab()
        let probe = try Probe(at: lab, asNobody: true, mount: "mount --bind /dev/null /usr/bin/pasta")
        #expect(probe.error?.contains("apt-get install passt") == true)
    }

    @Test func `without nft it is said how to get it`() throws {
        let lab = try Lab()
        let probe = try Probe(at: lab, mount: "mount --bind /dev/null /usr/sbin/nft")
        #expect(
            probe.error == "the uplink needs the program nft, which is not installed; fix: apt-get install nftables")
    }
}
