// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Programs that probe the path, or learn of it by an ICMP error.
    @Suite struct PathTests {
        private static let router = "2e00:2:0:1::1"
        private static let server = "64:ff9b::c633:640a"

        /// These options need raw sockets, which an ordinary user's namespace does not offer.
        @Test(needsRoot, arguments: [[], ["-I"], ["-T", "-p", "80"]])
        func `traceroute finds the translator and the server`(options: [String]) throws {
            let output = try run(
                [Binaries.ipv6check, "--control", "never", "traceroute", "-6", "-n", "-q", "1", "-w", "2"] + options
                    + ["shop.test"])
            expectPass(output)
            let hops = output.text.split(separator: "\n").dropFirst().map { $0.split(separator: " ").prefix(2) }
            #expect(hops == [["1", Self.router[...]], ["2", Self.server[...]]], Comment(rawValue: output.text))
        }

        /// Over UDP it works without privileges.
        @Test func `traceroute needs no privilege over UDP`() throws {
            let output = try ipv6check("traceroute", "-6", "-n", "-q", "1", "-w", "2", "shop.test", as: .ordinary)
            expectPass(output)
            #expect(output.text.contains(" 1  \(Self.router) ") && output.text.contains(" 2  \(Self.server) "))
        }

        @Test(needsRoot, arguments: [[], ["-u"], ["-T", "-P", "80"]])
        func `mtr loses nothing`(options: [String]) throws {
            let output = try run(
                [Binaries.ipv6check, "--control", "never", "mtr", "-n", "-r", "-c", "1", "-G", "0.5"] + options + [
                    "shop.test"
                ])
            expectPass(output)
            let hops = output.text.split(separator: "\n").dropFirst(2).map { $0.split(separator: " ").prefix(3) }
            #expect(
                hops == [["1.|--", Self.router[...], "0.0%"], ["2.|--", Self.server[...], "0.0%"]],
                Comment(rawValue: output.text))
        }

        /// The second hop is the server itself; the first reports that the hop limit was exceeded, and the report counts that drop.
        @Test func `a hop limit that runs out is reported with its packet`() throws {
            let file = Binaries.scratch.appending(path: "hop-limit.json")
            let output = try ipv6check(
                "--control", "never", "--json", file.path, "ping", "-n", "-c", "1", "-t", "1", "-W", "1", "shop.test")
            #expect(output.status == 1)
            #expect(output.text.contains("From \(Self.router) icmp_seq=1 Time exceeded"))
            let report = try #require(
                try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
            let run = try #require((report["runs"] as? [[String: Any]])?.first)
            let refusal = try #require(
                (run["drops"] as? [[String: Any]])?.first { $0["reason"] as? String == "hop-limit-exceeded" })
            #expect(refusal["count"] as? Int == 1)
            #expect(
                refusal["example"] as? String
                    == "ICMPv6 type 128 code 0 2e00:2:0:1::c0:100 → \(Self.server), 104 octets")
            #expect((run["counters"] as? [String: Int])?["errors-sent"] == 1)
        }

        @Test(arguments: [1280, 1500, 9000]) func `datagrams of every size come back`(mtu: Int) throws {
            let program = """
                import socket
                address = socket.getaddrinfo("echo.test", 7, type=socket.SOCK_DGRAM)[0][4]
                for size in (1, 1200, 1400, 4000, 60000):
                    s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
                    s.settimeout(5)
                    s.connect(address)
                    data = bytes(i % 251 for i in range(size))
                    s.send(data)
                    print(size, s.recv(65535) == data)
                """
            let output = try ipv6check("--mtu", "\(mtu)", "--control", "never", "python3", "-c", program)
            expectPass(output)
            #expect(output.text == "1 True\n1200 True\n1400 True\n4000 True\n60000 True\n")
        }

        /// A program that relies on ICMP unreachable: nothing listens on the port, and the kernel reports that at once.
        @Test(arguments: User.available) func `a refused datagram is told to the program`(_ user: User) throws {
            let program = """
                import errno, socket, time
                address = socket.getaddrinfo("echo.test", 9, type=socket.SOCK_DGRAM)[0][4]
                s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
                s.settimeout(5)
                s.connect(address)
                s.send(b"anybody?")
                start = time.monotonic()
                try: s.recv(100)
                except OSError as error: print(errno.errorcode[error.errno], time.monotonic() - start < 1)
                """
            let output = try ipv6check("--control", "never", "python3", "-c", program, as: user)
            #expect(output.text == "ECONNREFUSED True\n", Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("1 refused (nothing listens there)"))
        }
    }
}
