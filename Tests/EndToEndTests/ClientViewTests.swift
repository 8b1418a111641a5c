// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The parts of the user's environment that the client keeps, and those that it finds changed.
    @Suite struct ClientViewTests {
        @Test(arguments: User.available) func `it keeps its user and folder`(_ user: User) throws {
            let expected = try run(["sh", "-c", "id -u; id -g; pwd"], as: user).text
            #expect(try ipv6check("sh", "-c", "id -u; id -g; pwd", as: user).text == expected)
        }

        @Test func `it keeps its standard input, output and status`() throws {
            let output = try ipv6check("sh", "-c", "cat; echo error >&2", input: Data("input".utf8))
            #expect(output.text == "input")
            #expect(output.standardError.hasPrefix("error\n"))
            let failure = try ipv6check("--control", "never", "sh", "-c", "exit 42")
            #expect(failure.standardError.contains("exit 42"))
            let killed = try ipv6check("--control", "never", "sh", "-c", "kill -SEGV $$")
            #expect(killed.standardError.contains("killed by SIGSEGV"))
        }

        @Test(arguments: User.available) func `it has no IPv4 but loopback`(_ user: User) throws {
            let addresses = try ipv6check("ip", "-o", "-4", "addr", as: user).text
            #expect(addresses.split(separator: "\n").count == 1)
            #expect(addresses.contains("127.0.0.1/8"))
            #expect(try ipv6check("ip", "-4", "route", as: user).text.isEmpty)
            #expect(try ipv6check("ip", "-6", "addr", as: user).text.contains("2e00:2:0:1:"))
        }

        /// Only if this user may mount a sysfs; a container may forbid it.
        @Test(
            arguments: User.available.filter {
                (try? run(["unshare", "-rnm", "mount", "-t", "sysfs", "sysfs", "/sys"], as: $0).status) == 0
            })
        func `its links are those of its own network`(_ user: User) throws {
            #expect(try ipv6check("ls", "/sys/class/net", as: user).text == "eth0\nlo\n")
            #expect(try ipv6check("cat", "/sys/class/net/eth0/mtu", as: user).text == "1500\n")
            let rest = ["ls", "/sys", "/sys/fs/cgroup", "/sys/class"]
            let expected = try run(rest, as: user).text
            #expect(try run([Binaries.ipv6check, "--"] + rest, as: user).text == expected)
        }

        @Test func `a report on a terminal fits it`() throws {
            let command = "stty cols 60; '\(Binaries.ipv6check)' curl -fsS http://198.51.100.10/"
            let output = try run(["script", "--quiet", "--return", "--command", command, "/dev/null"])
            #expect(output.status == 1)
            let lines = output.text.split(whereSeparator: \.isNewline)
            #expect(lines.contains { $0.contains("V6C-001") })
            let visible = lines.map { $0.replacing(/\u{1b}\[[0-9;]*m/, with: "") }.filter { !$0.hasPrefix("curl: ") }
            #expect(visible.allSatisfy { $0.count <= 60 }, Comment(rawValue: visible.joined(separator: "\n")))
        }

        @Test func `a shell is told what was changed`() throws {
            let output = try ipv6check(
                "shell", input: Data("exit 3\n".utf8),
                environment: ["SHELL": "/bin/sh", "http_proxy": "http://127.0.0.1:1"])
            #expect(output.status == 3)
            #expect(
                output.standardError.contains("  note        http_proxy was removed from the client's environment.\n"))
        }

        /// As on a real IPv6-only network: there is no route, so the attempt fails at once with ENETUNREACH.
        @Test func `an IPv4 attempt is unreachable at once`() throws {
            let program = """
                import socket, errno
                try: socket.socket(socket.AF_INET).connect(("198.51.100.10", 80))
                except OSError as error: print(errno.errorcode[error.errno])
                """
            #expect(try ipv6check("--control", "never", "python3", "-c", program).text == "ENETUNREACH\n")
        }

        @Test func `its resolver is ours`() throws {
            #expect(try ipv6check("cat", "/etc/resolv.conf").text.contains("nameserver 2e00:2:0:1::1"))
            #expect(try ipv6check("grep", "^hosts:", "/etc/nsswitch.conf").text == "hosts: files dns\n")
            #expect(try ipv6check("getent", "hosts", "localhost").text.contains("localhost"))
        }

        @Test func `proxies are taken out and said`() throws {
            let output = try ipv6check(
                "sh", "-c", "echo \"[$http_proxy$HTTPS_PROXY]\"",
                environment: ["http_proxy": "http://127.0.0.1:3128", "HTTPS_PROXY": "http://127.0.0.1:3128"])
            #expect(output.text == "[]\n")
            #expect(output.standardError.contains("http_proxy") && output.standardError.contains("HTTPS_PROXY"))
        }

        @Test func `the host itself keeps its files`() throws {
            let before = try Data(contentsOf: URL(filePath: "/etc/resolv.conf"))
            expectPass(try ipv6check("true"))
            #expect(try Data(contentsOf: URL(filePath: "/etc/resolv.conf")) == before)
        }

        @Test func `packets of both sides are written`() throws {
            let file = Binaries.scratch.appending(path: "both.pcap")
            expectPass(try ipv6check("--pcap", file.path, "curl", "-fsS", "http://shop.test/"))
            let packets = try run(["tcpdump", "-n", "-r", file.path]).text
            #expect(packets.contains("64:ff9b::c633:640a.80"))
            #expect(packets.contains("198.51.100.10.80"))
        }

        /// The NAT64 alone translates the captured packets in the same way: the world's answers match their sessions.
        @Test func `a capture can be replayed`() throws {
            let file = Binaries.scratch.appending(path: "live.pcap")
            let replayed = Binaries.scratch.appending(path: "replayed.pcap")
            expectPass(try ipv6check("--pcap", file.path, "curl", "-fsS", "http://shop.test/ip"))
            let output = try run([Binaries.nat64sim, "translate", file.path, replayed.path])
            #expect(output.status == 0, Comment(rawValue: output.standardError))
            func ipv4(_ path: String) throws -> [Substring] {
                try run(["tcpdump", "-n", "-t", "-r", path, "ip", "and", "src", "net", "192.0.2.0/24"]).text
                    .split(separator: "\n")
            }
            #expect(try ipv4(replayed.path) == ipv4(file.path))
            #expect(try !ipv4(file.path).isEmpty)
        }

        @Test func `the JSON report has the evidence`() throws {
            let file = Binaries.scratch.appending(path: "report.json")
            expectPass(try ipv6check("--json", file.path, "curl", "-fsS", "http://shop.test/"))
            let report = try #require(
                try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
            #expect(report["schema"] as? Int == 2)
            #expect(report["verdict"] as? String == "passes")
            let run = try #require((report["runs"] as? [[String: Any]])?.first)
            let flow = try #require((run["flows"] as? [[String: Any]])?.first)
            #expect(flow["name"] as? String == "shop.test")
            #expect(flow["translatedTo"] as? String == "198.51.100.10")
            let counters = try #require(run["counters"] as? [String: Int])
            #expect(counters["sessions-opened"] == 1 && counters["hairpinned"] == 0)
            #expect(try #require(counters["emitted-to-ipv6"]) > 1)
            let questions = try #require(run["dns"] as? [[String: Any]])
            #expect(
                questions.contains {
                    $0["type"] as? String == "AAAA" && $0["synthesisedFrom"] as? [String] == ["198.51.100.10"]
                })
        }

        /// Libraries that know the special-purpose addresses (RFC 6890) classify the client's address as global, as on a real host.
        @Test(arguments: ["nat64", "dual-stack"]) func `has a global address`(_ network: String) throws {
            let script = """
                import ipaddress, socket
                link = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
                link.connect(("64:ff9b::c633:640a" if "\(network)" == "nat64" else "2e00:2:0:cafe::6", 80))
                own = ipaddress.ip_address(link.getsockname()[0])
                exit(own.is_private or not own.is_global)
                """
            expectPass(try ipv6check("--network", network, "python3", "-c", script))
        }

        @Test(arguments: User.available) func `has addresses of the prefix that was asked for`(_ user: User) throws {
            let script = """
                import socket
                with socket.create_connection(("shop.test", 80)) as link: print(link.getsockname()[0])
                """
            for (prefix, address) in [
                ("apple", "2001:2:0:aab1::c0:100"), ("2001:db8:1:2::/64", "2001:db8:1:2::c0:100"),
            ] {
                for link in ["static", "ra"] {
                    let output = try ipv6check(
                        "--client-prefix", prefix, "--link", link, "python3", "-c", script, as: user)
                    expectPass(output)
                    let own = output.text.trimmingCharacters(in: .newlines)
                    #expect(link == "static" ? own == address : own.hasPrefix(address.dropLast(6)), output.told)
                }
            }
            let compared = try ipv6check(
                "--client-prefix", "apple", "--networks", "all", "--", "curl", "-6", "-fsS", "http://six.test/",
                as: user)
            #expect(compared.status == 1 && compared.standardError.contains("strict"), compared.told)
            #expect(try ipv6check("--client-prefix", "2001:db8::/48", "true").status == 2)
            let folder = try SuiteFolder(
                "  - { name: own, command: [python3, own.py], client-prefix: apple, expect: { stdout: { contains: 'aab1::c0:100' } } }",
                files: ["own.py": script])
            #expect(try folder.suite().outcomes == ["own@nat64": "PASS"])
        }

        /// RFC 6724 §6: among addresses with one label, the longer common prefix comes first (rule 9), and IPv6 before IPv4.
        @Test func `has the addresses of a host in the order of a real one`() throws {
            let folder = try SuiteFolder(
                "",
                files: [
                    "world.yaml": """
                    version: 1
                    hosts: { both.test: { addresses: [198.51.100.20, "2e00:2:0:cafe::20"], services: [http] } }
                    records:
                      - mixed.test AAAA 64:ff9b::c633:6414
                      - mixed.test AAAA 2001:db8:64::c633:6414
                      - mixed.test AAAA 2e00:2:0:cafe::20
                    """
                ])
            let script = """
                import socket
                for name in ("mixed.test", "both.test"):
                    print(*[a[4][0] for a in socket.getaddrinfo(name, 80, type=socket.SOCK_STREAM)])
                socket.create_connection(("both.test", 80))
                """
            for network in ["nat64", "dual-stack"] {
                let output = try ipv6check(
                    "--network", network, "--world", folder.path("world.yaml"), "python3", "-c", script)
                expectPass(output)
                #expect(
                    output.text == """
                        2e00:2:0:cafe::20 2001:db8:64::c633:6414 64:ff9b::c633:6414
                        2e00:2:0:cafe::20 198.51.100.20

                        """, output.told)
            }
        }
    }
}
