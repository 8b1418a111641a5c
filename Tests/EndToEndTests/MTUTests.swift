// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Packets that are too big, for the link (reported) or for a black hole on the path (dropped silently).
    @Suite struct MTUTests {
        private static let octets = 32_000_000

        /// The client fetches a file from the server, and sends one that is echoed; both must be intact.
        private func transfer(_ options: String..., source: SourceLocation = #_sourceLocation) throws {
            let file = Binaries.scratch.appending(path: "transfer-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: file) }
            // A prime number of octets: no packet begins like the one before.
            let pattern = Data(0..<251)
            var octets = Data(capacity: Self.octets + pattern.count)
            while octets.count < Self.octets { octets.append(pattern) }
            try octets.prefix(Self.octets).write(to: file)
            let expected = try run(["sha256sum", file.path]).text.prefix(64)
            let client = """
                ip link show eth0 | grep -o 'mtu [0-9]*'
                curl -fsS http://shop.test/bytes/\(Self.octets) | sha256sum
                curl -fsS -T '\(file.path)' http://shop.test/echo | sha256sum
                """
            let output = try run([Binaries.ipv6check] + options + ["sh", "-c", client], seconds: 120)
            expectPass(output, sourceLocation: source)
            let lines = output.text.split(separator: "\n")
            try #require(lines.count == 3, Comment(rawValue: output.text), sourceLocation: source)
            #expect(lines[0] == "mtu \(options[1])", sourceLocation: source)
            #expect(lines[1].prefix(64) == expected && lines[2].prefix(64) == expected, sourceLocation: source)
        }

        @Test(arguments: [1280, 1500, 9000, 65_535]) func `a transfer is intact`(mtu: Int) throws {
            try transfer("--mtu", "\(mtu)")
        }

        @Test(arguments: [(1280, 9000), (9000, 1280), (9000, 576), (1500, 1300)])
        func `a transfer is intact between links that differ`(mtu: Int, world: Int) throws {
            try transfer("--mtu", "\(mtu)", "--world-mtu", "\(world)")
        }

        /// A segment of 1,440 octets is lost, and no Packet Too Big is sent; small packets pass.
        @Test func `a black hole stops a large transfer and is named`() throws {
            let file = Binaries.scratch.appending(path: "black-hole.json")
            let output = try ipv6check(
                "--fault", "ipv6-black-hole=1400", "--timeout", "3", "--json", file.path, "curl", "-fsS", "-o",
                "/dev/null", "http://shop.test/bytes/1000000")
            #expect(output.status == 124, Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("× fault-black-hole"))
            #expect(output.standardError.contains("the same command works on dual-stack"))
            let report = try #require(
                try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
            #expect((report["links"] as? [String: Any])?["faults"] as? [String] == ["ipv6-black-hole=1400"])
            expectPass(try ipv6check("--fault", "ipv6-black-hole=1400", "curl", "-fsS", "http://shop.test/"))
        }

        /// On the IPv4 side the translated packets vanish, and on dual-stack the client's own IPv4 packets.
        @Test func `a black hole on the IPv4 side is there for both networks`() throws {
            let output = try ipv6check(
                "--fault", "ipv4-black-hole=1000", "--timeout", "3", "curl", "-fsS", "-o", "/dev/null",
                "http://shop.test/bytes/1000000")
            #expect(output.status == 124)
            #expect(output.standardError.contains("it does not succeed on dual-stack either"))
        }

        /// A sender that has learnt the path MTU sends smaller packets, on both networks.
        @Test(arguments: ["nat64", "dual-stack"]) func `the path MTU is told`(network: String) throws {
            let program = """
                import socket
                kind, _, _, _, server = socket.getaddrinfo("echo.test", 7, type=socket.SOCK_DGRAM)[0]
                s = socket.socket(kind, socket.SOCK_DGRAM)
                s.settimeout(2)
                s.connect(server)
                level, option = (41, 24) if kind == socket.AF_INET6 else (0, 14)
                for attempt in range(5):
                    try:
                        s.send(bytes(1350))
                        s.recv(2000)
                        break
                    except (TimeoutError, OSError) as error: pass
                print(s.getsockopt(level, option))
                """
            let output = try ipv6check(
                "--network", network, "--mtu", "1400", "--world-mtu", "1300", "python3", "-c", program)
            expectPass(output)
            // The NAT64 adds 20 octets for the larger header (RFC 7915 §4.2).
            #expect(output.text == (network == "nat64" ? "1320\n" : "1300\n"))
        }

        @Test func `an MTU that no link has is refused`() throws {
            for (option, value, range) in [
                ("--mtu", "1279", "from 1280 to 65535"), ("--world-mtu", "575", "from 576 to 65535"),
                ("--mtu", "65536", "from 1280 to 65535"),
            ] {
                let output = try ipv6check(option, value, "true")
                #expect(output.status == 2)
                #expect(output.standardError == "ipv6check: \(option) \(value): give a number \(range)\n")
            }
            for fault in ["", "black-hole", "ipv6-black-hole", "ipv6-black-hole=", "ipv6-black-hole=-1"] {
                #expect(try ipv6check("--fault", fault, "true").status == 2, Comment(rawValue: fault))
            }
        }
    }
}
