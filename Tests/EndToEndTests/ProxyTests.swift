// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// A proxy of the world, with third-party clients.
    @Suite struct ProxyTests {
        private static let folder = Binaries.root.appending(path: "fixtures/clients/proxy")
        private static let world = folder.appending(path: "world.yaml").path

        private struct Report: Decodable {
            struct Proxied: Decodable, Equatable {
                var manner: String
                var host: String
                var port: Int
                var result: String
            }
            struct Connection: Decodable {
                var address: String
                var port: Int
                var proxied: Proxied?
            }
            struct Run: Decodable { var connections: [Connection] }
            var runs: [Run]
        }

        @Test(arguments: User.available)
        func `clients get through it, by the name of a host, and the report says for what they asked`(user: User) throws
        {
            let json = Binaries.scratch.appending(path: "\(UUID().uuidString).json")
            let output = try run(
                [
                    Binaries.ipv6check, "--verbose", "--world", Self.world, "--json", json.path, "sh", "-ec",
                    """
                    curl -sS -x http://proxy.test:3128 http://shop.test/status/200
                    curl -sS -x http://proxy4.test:1080 https://six.test/status/200 || echo not reached
                    curl -sS -x socks5h://proxy4.test:1080 https://shop.test/status/200
                    curl -sS -x socks4://proxy.test:3128 http://shop.test/status/200
                    wget -q -O - http://shop.test/status/200
                    """,
                ], as: user, environment: ["http_proxy": "http://proxy.test:3128"])
            expectPass(output)
            #expect(output.text == "200\nnot reached\n200\n200\n200\n")
            let report = try JSONDecoder().decode(Report.self, from: Data(contentsOf: json))
            let connections = try #require(report.runs.first).connections
            let expected: [(String, Int, Report.Proxied)] = [
                ("2e00:2:0:cafe::24", 3128, .init(manner: "request", host: "shop.test", port: 80, result: "connected")),
                (
                    "198.51.100.25", 1080,
                    .init(manner: "connect", host: "six.test", port: 443, result: "destination_ip_unroutable")
                ),
                ("198.51.100.25", 1080, .init(manner: "socks5", host: "shop.test", port: 443, result: "connected")),
                (
                    "2e00:2:0:cafe::24", 3128,
                    .init(manner: "socks4", host: "198.51.100.10", port: 80, result: "connected")
                ),
                ("2e00:2:0:cafe::24", 3128, .init(manner: "request", host: "shop.test", port: 80, result: "connected")),
            ]
            #expect(connections.map(\.address) == expected.map(\.0))
            #expect(connections.map(\.port) == expected.map(\.1))
            #expect(connections.map(\.proxied) == expected.map(\.2))
            #expect(output.standardError.contains("SOCKS4 198.51.100.10:80, connected"), output.told)
        }

        /// Out of reach: the simulator's servers, its process's loopback, the client itself, the machine's network and a cloud's metadata
        /// service.
        @Test(arguments: User.available) func `nobody but the world's hosts is reached by it`(user: User) throws {
            let program = """
                import socket
                for host in ("[2e00:2:0:1::1]:53", "192.0.2.1:53", "127.0.0.1:3128", "[::1]:3128", "localhost:3128",
                             "[2e00:2:0:1::c0:100]:9", "169.254.169.254:80", "10.0.0.1:80", "1.1.1.1:53", "0.0.0.0:3128",
                             "[64:ff9b::c633:640a]:80", "[::ffff:198.51.100.10]:80", "198.51.100.10:81", "198.51.100.10:80"):
                    with socket.create_connection(("proxy.test", 3128), timeout=15) as link:
                        link.sendall(f"CONNECT {host} HTTP/1.1\\r\\nHost: {host}\\r\\n\\r\\n".encode())
                        head = link.recv(2000).decode()
                        print(host, head.split()[1], head.partition("error=")[2].split("\\r")[0])
                """
            let output = try run(
                [Binaries.ipv6check, "--once", "--world", Self.world, "/usr/bin/python3", "-c", program], as: user)
            expectPass(output)
            let unroutable = "502 destination_ip_unroutable"
            #expect(
                output.text == """
                    [2e00:2:0:1::1]:53 \(unroutable)
                    192.0.2.1:53 \(unroutable)
                    127.0.0.1:3128 \(unroutable)
                    [::1]:3128 \(unroutable)
                    localhost:3128 502 dns_error
                    [2e00:2:0:1::c0:100]:9 \(unroutable)
                    169.254.169.254:80 \(unroutable)
                    10.0.0.1:80 \(unroutable)
                    1.1.1.1:53 \(unroutable)
                    0.0.0.0:3128 \(unroutable)
                    [64:ff9b::c633:640a]:80 \(unroutable)
                    [::ffff:198.51.100.10]:80 \(unroutable)
                    198.51.100.10:81 502 connection_refused
                    198.51.100.10:80 200 \("")

                    """)
        }

        @Test func `its clients pass as ordinary users do, too`() throws {
            let output = try run(
                [Binaries.ipv6check, "suite", Self.folder.appending(path: "ipv6check.yaml").path], as: .ordinary,
                seconds: 200)
            #expect(output.status == 0, output.told)
            #expect(output.standardError.contains("1 known"), output.told)
        }

        @Test func `a daemon's clients have a proxy, too`() throws {
            let daemon = try RunningDaemon("world: \(Self.world)")
            let output = try daemon.check(
                "curl", "-sS", "-x", "socks5h://proxy4.test:1080", "https://shop.test/status/200")
            expectPass(output)
            #expect(output.text == "200\n")
        }

        @Test func `proxies that are kept are the client's`() throws {
            let variables = ["http_proxy": "http://127.0.0.1:9", "NO_PROXY": "shop.test"]
            let print = ["sh", "-c", "echo \"[$http_proxy] [$NO_PROXY]\""]
            let kept = try run([Binaries.ipv6check, "--proxy", "keep"] + print, environment: variables)
            #expect(kept.text == "[http://127.0.0.1:9] [shop.test]\n")
            #expect(!kept.standardError.contains("removed"))
            let taken = try run([Binaries.ipv6check, "--proxy", "world"] + print, environment: variables)
            #expect(taken.text == "[] []\n" && taken.standardError.contains("removed"), taken.told)
            let folder = try SuiteFolder(
                """
                  - { name: kept, command: 'test "$http_proxy" = http://127.0.0.1:9' }
                  - { name: taken, command: 'test -z "$http_proxy"', proxy: world }
                """, head: "defaults: { proxy: keep, offline: true }")
            let suite = try run(
                [Binaries.ipv6check, "suite", folder.path("ipv6check.yaml")], environment: variables)
            #expect(suite.status == 0, suite.told)
        }
    }

    /// Third-party servers, which listen on their own sockets. An ordinary user runs them with only one user ID in the world's namespace.
    @Suite struct RealServerTests {
        private static var canRun: Bool { isInstalled("vsftpd") && isInstalled("turnserver") }

        @Test(
            .enabled(if: canRun, "needs vsftpd and coturn, which scripts/test unpacks"),
            arguments: User.available, ["ftp", "stun"])
        func `vsftpd and coturn serve, and their clients are told apart`(user: User, folder: String) throws {
            let path = Binaries.root.appending(path: "fixtures/clients/\(folder)/ipv6check.yaml").path
            let output = try run([Binaries.ipv6check, "suite", path], as: user, seconds: 200)
            #expect(output.status == 0, output.told)
            #expect(output.standardError.contains("1 known"), output.told)
        }

        /// Debian's configuration, which conflicts with our options.
        @Test(.enabled(if: canRun, "needs vsftpd and coturn, which scripts/test unpacks"), needsRoot)
        func `vsftpd does not heed the machine's own configuration`() throws {
            let etc = Binaries.scratch.appending(path: "etc-\(UUID().uuidString)").path
            let path = Binaries.root.appending(path: "fixtures/clients/ftp/ipv6check.yaml").path
            let script = """
                mkdir "$1" && cp -a /etc/. "$1"
                printf 'listen=NO\\nlisten_ipv6=YES\\nanonymous_enable=NO\\nlocal_enable=YES\\npam_service_name=vsftpd\\n' > "$1/vsftpd.conf"
                mount --bind "$1" /etc
                shift
                exec "$@"
                """
            let output = try run(
                ["unshare", "-m", "sh", "-c", script, "sh", etc, Binaries.ipv6check, "suite", path], seconds: 200)
            #expect(output.status == 0, output.told)
            #expect(output.standardError.contains("1 known"), output.told)
        }
    }
}
