// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// An IPv6-only look-up of a name without AAAA, on a network without DNS64: the resolvers of Apple's systems and of Android ask for
    /// A, and synthesise under the prefix from ipv4only.arpa.
    @Suite struct PhoneResolverTests {
        private static let script = """
            import socket, sys
            for name in sys.argv[1:]:
                try:
                    found = socket.getaddrinfo(name, 80, socket.AF_INET6, socket.SOCK_STREAM, flags=socket.AI_CANONNAME)
                    print(name, *[f"{entry[4][0]}:{entry[4][1]}" for entry in found])
                except OSError as error:
                    print(name, "error", error.errno)
            """

        private func answers(_ network: String, _ profile: String) throws -> [String] {
            let output = try run([
                Binaries.ipv6check, "--once", "--quiet", "--network", network, "--getaddrinfo", profile,
                "/usr/bin/python3", "-c",
                Self.script, "shop.test", "dual.test", "nosuch.test",
            ])
            return String(decoding: output.standardOutput, as: UTF8.self).split(separator: "\n").map(String.init)
        }

        @Test(arguments: ["apple", "apple-ios9", "android"])
        func `a phone's resolver synthesises what was asked for`(profile: String) throws {
            let answers = try answers("nat64-no-dns64", profile)
            let port = profile == "apple-ios9" ? 0 : 80
            #expect(
                answers == [
                    "shop.test 64:ff9b::c633:640a:\(port)", "dual.test 2e00:2:0:cafe::20:80", "nosuch.test error -2",
                ])
        }

        @Test(arguments: ["linux", "chromium"]) func `others say that there is none`(profile: String) throws {
            #expect(try answers("nat64-no-dns64", profile).first == "shop.test error -5")
        }

        @Test(arguments: ["apple", "android", "linux"])
        func `with DNS64 it is the DNS that synthesises, and without a prefix nobody`(profile: String) throws {
            #expect(try answers("nat64", profile).first == "shop.test 64:ff9b::c633:640a:80")
            #expect(try answers("dual-stack", profile).first == "shop.test error -5")
        }

        private static let naming = [
            ["/usr/bin/python3", "-c", "import socket, sys; print(socket.getnameinfo((sys.argv[1], 80), 0)[0])"],
            ["ruby", "-rsocket", "-e", "puts Socket.getnameinfo(Addrinfo.tcp(ARGV[0], 80).to_sockaddr)[0]"],
        ]

        @Test(arguments: naming) func `a synthesised address has the name of the IPv4 address on Apple's systems`(
            client: [String]
        ) throws {
            func name(_ address: String, _ profile: String) throws -> String {
                let network = ["--once", "--quiet", "--network", "nat64-no-dns64", "--getaddrinfo", profile]
                let output = try run([Binaries.ipv6check] + network + client + [address])
                return String(decoding: output.standardOutput, as: UTF8.self).trimmingCharacters(
                    in: .whitespacesAndNewlines)
            }
            #expect(try name("64:ff9b::c633:640a", "apple") == "shop.test")
            // No DNS64 answers the reverse query.
            #expect(try name("64:ff9b::c633:640a", "linux") == "64:ff9b::c633:640a")
            #expect(try name("64:ff9b::c633:64fe", "apple") == "64:ff9b::c633:64fe")
            #expect(try name("2e00:2:0:cafe::20", "apple") == "dual.test")
        }

        @Test func `curl for IPv6 alone works on a phone's network, and not on a plain host's`() throws {
            let client = ["--once", "--network", "nat64-no-dns64", "curl", "-6", "-fsS", "http://shop.test/ip"]
            #expect(try run([Binaries.ipv6check, "--getaddrinfo", "apple"] + client).status == 0)
            #expect(try run([Binaries.ipv6check, "--getaddrinfo", "android"] + client).status == 0)
            #expect(try run([Binaries.ipv6check] + client).status == 1)
        }
    }
}
