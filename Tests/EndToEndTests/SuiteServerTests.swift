// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TestSupport

extension EndToEnd {
    /// Servers beside a client, and servers under test.
    @Suite struct SuiteServerTests {
        /// Listens on the address and port of its arguments: `listener.py FAMILY ADDRESS PORT [both]`.
        private static let listener = """
            #!/usr/bin/env python3
            import http.server, socket, sys
            family, address, port = sys.argv[1:4]
            class Server(http.server.HTTPServer):
                address_family = socket.AF_INET6 if family == "6" else socket.AF_INET
                def server_bind(self):
                    if family == "6":
                        self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0 if "both" in sys.argv else 1)
                    super().server_bind()
            class Handler(http.server.BaseHTTPRequestHandler):
                protocol_version = "HTTP/1.1"
                def do_GET(self):
                    body = b"hello " + self.client_address[0].encode() + b"\\n"
                    self.send_response(200 if self.path == "/healthz" else 404)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                def log_message(self, *words): print("from", self.client_address[0], flush=True)
            print("listening", flush=True)
            Server((address, int(port)), Handler).serve_forever()
            """

        private func folder(_ tests: String, head: String = "") throws -> SuiteFolder {
            try SuiteFolder(tests, head: head, files: ["listener.py": Self.listener])
        }

        private func words(_ output: Output) -> [String: String] {
            let lines = output.standardError.split(separator: "\n").map { $0.split(separator: " ") }
            return Dictionary(
                lines.filter { $0.count > 1 && $0[1].contains("@") && $0[0].allSatisfy { $0.isUppercase || $0 == "-" } }
                    .map { (String($0[1]), String($0[0])) }, uniquingKeysWith: { first, _ in first })
        }

        // MARK: - Servers beside a client

        @Test(arguments: User.available)
        func `servers on both sides, each ready before the next and before the client`(_ user: User) throws {
            let folder = try folder(
                """
                  - name: far
                    command: curl -fsS http://shop.test:8443/healthz && curl -fsS http://127.0.0.1:6379/healthz
                    needs: [api, cache]
                    expect: { stdout: { contains: hello 127.0.0.1 } }
                """,
                head: """
                    servers:
                      api: { in: world, host: shop.test, command: [./listener.py, "4", 0.0.0.0, "8443"], ready: { tcp: 8443 } }
                      first: { in: client, command: [sh, -c, "touch $OUT/first; exec sleep 4244"], ready: { file: /dev/null } }
                      cache:
                        in: client
                        command: [./listener.py, "4", 127.0.0.1, "6379"]
                        ready: { http: 6379/healthz, log: listening }
                        needs: [first]
                    """)
            let output = try folder.suite("--output", "kept", as: user)
            #expect(output.status == 0, Comment(rawValue: output.standardError))
            #expect(words(output) == ["far@nat64": "PASS"], "servers are no leak")
            let kept = try folder.read("kept/far@nat64/first/servers/api")
            #expect(kept.hasPrefix("listening\nfrom 192.0.2.64"), "through the NAT64: \(kept)")
            // Not the servers of other tests that run at the same time.
            let servers = "[l]istener.py 4 (0.0.0.0 8443|127.0.0.1 6379)|[s]leep 4244"
            #expect(try run(["pgrep", "-f", servers]).status == 1, "nothing is left")
        }

        @Test func `a port of an earlier server makes none ready, and one that ends during the test is an error`()
            throws
        {
            let folder = try folder(
                """
                  - { name: taken, command: "true", needs: [first, second] }
                  - { name: tolerates, command: "sleep 1; curl -sg http://[::1]:8080/ || true", needs: [short] }
                  - { name: holds, command: "curl -sgf -o /dev/null http://[::1]:8080/", needs: [first] }
                """,
                head: """
                    servers:
                      first: { in: client, command: "python3 -m http.server --bind :: 8080", ready: { tcp: 8080 } }
                      second: { in: client, command: sleep 1000, ready: { tcp: 8080, within: 300ms } }
                      short: { in: client, command: "timeout 0.5 python3 -m http.server --bind :: 8080", ready: { log: Serving } }
                    """)
            let output = try folder.suite()
            #expect(output.status == 2, output.told)
            #expect(
                words(output) == ["taken@nat64": "ERROR", "tolerates@nat64": "ERROR", "holds@nat64": "PASS"],
                output.told)
            #expect(output.standardError.contains("the server second was not ready after 0.3 s"), output.told)
            #expect(output.standardError.contains("the server short ended while it was needed (exit 124)"), output.told)
        }

        @Test func `a server that does not become ready is an error, with what it printed`() throws {
            let folder = try folder(
                """
                  - { name: late, command: "true", needs: late }
                  - { name: dead, command: "true", needs: dead }
                  - { name: gone, command: "true", needs: gone }
                  - { name: far, command: "true", needs: far }
                  - { name: wrong, command: "true", needs: wrong }
                """,
                head: """
                    servers:
                      wrong: { in: client, command: "python3 -m http.server --bind :: 8081 2> asked", ready: { http: 8081/none, within: 10m } }
                      late: { in: client, command: sleep 1000, ready: { tcp: 1234, within: 300ms } }
                      dead: { in: client, command: "echo no licence; exit 3", ready: { tcp: 1234 } }
                      gone: { in: client, command: [./no-such-server], ready: { tcp: 1234 } }
                      far: { in: world, host: shop.test, command: "echo no room; exit 4", ready: { tcp: 1234 } }
                    """)
            let output = try folder.suite()
            #expect(output.status == 2)
            #expect(Set(words(output).values.filter { $0 != "SLOW" }) == ["ERROR"])
            for text in [
                "the server late was not ready after 0.3 s: nothing listens at tcp 1234",
                "the server dead ended before it was ready (exit 3)", "no licence",
                "the server gone ended before it was ready (exit 127)",
                "the server far ended before it was ready (exit 4)", "no room", "GET /none at port 8081: status 404",
            ] {
                #expect(output.standardError.contains(text), Comment(rawValue: output.standardError))
            }
            let asked = try folder.read("asked").split(separator: "\n").filter { $0.contains("GET /none") }
            #expect((2...60).contains(asked.count), "\(asked.count) requests")
        }

        /// Clients that connect once, by name: the address is from the DNS, as the client's own calls and their origins show.
        private static let byNameOnce = [
            "once.py": """
            import socket
            address = socket.gethostbyname("shop.test")
            socket.create_connection((address, 80), timeout=5)
            """,
            "once.pl": """
            use Socket;
            my $address = inet_aton("shop.test");
            socket(my $link, PF_INET, SOCK_STREAM, 0);
            connect($link, sockaddr_in(80, $address)) or die $!;
            """,
            "once.rb": """
            require "socket"
            address = Addrinfo.getaddrinfo("shop.test", 80, :INET, :STREAM).first
            address.connect(timeout: 5).close
            """,
        ]

        @Test(
            arguments: [["python3", "once.py"], ["perl", "once.pl"], ["ruby", "once.rb"]].filter { isInstalled($0[0]) })
        func `what is seen of a client is its own, beside servers that it needs`(_ command: [String]) throws {
            let folder = try SuiteFolder(
                "  - { name: once, command: [\(command.joined(separator: ", "))], needs: [near], slow: 60s }",
                head: """
                    servers:
                      near: { in: client, command: [python3, -m, http.server, --bind, 127.0.0.1, "6380"], ready: { tcp: 6380 } }
                    """, files: Self.byNameOnce)
            let output = try folder.suite("--json", "report.json")
            #expect(words(output) == ["once@nat64": "FAIL"], Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("A record of shop.test"), Comment(rawValue: output.standardError))
            let report = try folder.read("report.json")
            for text in [output.standardError, report] {
                #expect(!text.contains("__fixture") && !text.contains("http.server"), Comment(rawValue: text))
                #expect(!text.contains("the data of"), Comment(rawValue: text))
            }
        }

        @Test func `the client's end and time are its own`() throws {
            let folder = try folder(
                """
                  - { name: three, command: exit 3, needs: idle, expect: { exit: 3 } }
                  - { name: late, command: "trap '' TERM; sleep 60", needs: idle, timeout: 300ms, grace: 100ms }
                  - { name: none, command: [./no-such-program], needs: idle }
                  - { name: leaves, command: "sleep 600 & true", needs: idle }
                """, head: "servers:\n  idle: { in: client, command: exec sleep 1000, ready: { file: /dev/null } }")
            let output = try folder.suite()
            #expect(
                words(output) == [
                    "three@nat64": "PASS", "late@nat64": "BROKEN", "none@nat64": "ERROR", "leaves@nat64": "LEAK",
                ], Comment(rawValue: output.standardError))
        }

        @Test func `mistakes are told with their places`() throws {
            let folder = try folder(
                """
                  - { name: a, command: "true", needs: [cahce] }
                  - { name: b, server: { command: x, ready: { tcp: 1 } }, command: y, probe: [ { from: ipv5 } ] }
                """,
                head: """
                    servers:
                      cache: { in: client, command: x, ready: {}, needs: [other] }
                      other: { in: world, command: x, ready: { tcp: 99999 }, needs: [cache] }
                    """)
            let output = try folder.suite("check")
            #expect(output.status == 2)
            for text in [
                "a server cannot be \"cahce\" (did you mean \"cache\"?)",
                "a test has a command or a server, and not both",
                "from cannot be \"ipv5\" (did you mean \"ipv6\"?)", "ready must say by what it is seen",
                "the server needs a host of the world", "tcp must be a number from 1 to 65535",
                "cache, other and cache need each other",
            ] {
                #expect(output.standardError.contains(text), Comment(rawValue: output.standardError))
            }
        }

        // MARK: - Servers under test

        /// - Parameter other: the second probe's `from`, besides IPv6.
        private static func probes(_ other: String) -> String {
            """
            probe:
                      - { from: ipv6, http: /healthz, expect: { status: 200, body: { contains: hello } } }
                      - { from: \(other), http: /healthz }
            """
        }

        @Test(arguments: User.available) func `who listens on IPv6 is reached from everywhere`(_ user: User) throws {
            let folder = try folder(
                """
                  - name: web
                    server: { command: [./listener.py, "6", "::", "8080", both], ready: { tcp: 8080 } }
                    networks: [nat64, nat64-no-dns64, "nat64+clat"]
                    \(Self.probes("ipv4-through-nat64"))
                    expect:
                      listens: [ipv6, ipv4]
                      log: { matches: 'from 2e00:2:0:cafe::[0-9a-f]+' }
                  - name: other
                    server: { command: [./listener.py, "6", "::", "8080", both], ready: { tcp: 8080 } }
                    networks: [dual-stack]
                    \(Self.probes("ipv4"))
                """)
            let output = try folder.suite("--output", "kept", as: user)
            #expect(
                words(output) == [
                    "web@nat64": "PASS", "web@nat64-no-dns64": "PASS", "web@nat64+clat": "PASS",
                    "other@dual-stack": "PASS",
                ],
                Comment(rawValue: output.standardError))
            #expect(output.status == 0)
            let log = try folder.read("kept/web@nat64/first/servers/web")
            #expect(log.contains("from 64:ff9b::"), "an IPv4 client as the NAT64 shows it: \(log)")
        }

        @Test func `who listens on IPv4 alone fails, and why`() throws {
            let folder = try folder(
                """
                  - name: web
                    server: { command: [./listener.py, "4", 0.0.0.0, "8080"], ready: { tcp: 8080 } }
                    \(Self.probes("ipv4-through-nat64"))
                  - name: other
                    server: { command: [./listener.py, "4", 0.0.0.0, "8080"], ready: { tcp: 8080 } }
                    networks: [dual-stack]
                    \(Self.probes("ipv4"))
                """)
            let output = try folder.suite()
            #expect(
                words(output) == ["web@nat64": "FAIL", "other@dual-stack": "FAIL"],
                Comment(rawValue: output.standardError))
            #expect(output.status == 1)
            #expect(
                output.standardError.contains(
                    "GET /healthz at port 8080 from ipv6: refused, since it listens on 0.0.0.0:8080 alone"),
                Comment(rawValue: output.standardError))
            let findings = output.standardError.split(separator: "V6C-025 It listens on IPv4 only").dropFirst()
            #expect(findings.count == 2 && findings.allSatisfy { $0.contains("listener.py:") }, output.told)
        }

        /// A pass that has tested nothing would be worse than none.
        @Test(arguments: [["check"], []] as [[String]]) func `a probe that cannot be made is a mistake of the file`(
            _ words: [String]
        ) throws {
            let folder = try SuiteFolder(
                """
                  - { name: web, server: { command: [touch, started], ready: { tcp: 8080 } }, probe: { from: ipv4 } }
                  - name: other
                    server: { command: [touch, started], ready: { tcp: 8080 } }
                    networks: [strict, ipv4-only, "nat64+clat"]
                    probe: [ { from: ipv4-through-nat64 } ]
                """)
            let output = try folder.command(["suite"] + words)
            #expect(output.status == 2)
            for text in [
                "web@nat64: no probe from ipv4 can be made on nat64: no IPv4 route leads to the server there",
                "other@strict: no probe from ipv4-through-nat64 can be made on strict: there is no NAT64",
                "other@ipv4-only: no probe from ipv4-through-nat64",
            ] {
                #expect(output.standardError.contains(text), Comment(rawValue: output.standardError))
            }
            #expect(!output.standardError.contains("other@nat64+clat"))
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/started"))
        }

        @Test(arguments: [
            ("ipv6", "203.0.113.5", "2e00:2:0:cafe::5"), ("ipv4-through-nat64", "2e00:2:0:cafe::5", "203.0.113.5"),
        ])
        func `a world without a host to ask from is one, too`(_ origin: String, _ lacks: String, _ has: String) throws {
            let folder = try SuiteFolder(
                """
                  - { name: web, server: { command: [./listener.py, "6", "::", "8080"], ready: { tcp: 8080 } }, probe: { from: \(origin) } }
                """, head: "world: world.yaml",
                files: [
                    "listener.py": Self.listener,
                    "world.yaml": "version: 1\nhosts:\n  rates.test: { addresses: [\"\(lacks)\"], services: [http] }\n",
                ])
            for words in [["check"], []] as [[String]] {
                let output = try folder.command(["suite"] + words)
                #expect(output.status == 2)
                #expect(
                    output.standardError.contains(
                        "web@nat64: no probe from \(origin) can be made: the world (world.yaml) has no host with "
                            + "\(origin == "ipv6" ? "IPv6" : "IPv4") from which to ask"),
                    Comment(rawValue: output.standardError))
            }
            try folder.write(
                "version: 1\nhosts:\n  rates.test: { addresses: [\"\(has)\"], services: [http] }\n", to: "world.yaml")
            let output = try folder.suite()
            #expect(output.status == 0, Comment(rawValue: output.standardError))
        }

        /// The probes are hosts that connect to the server; the report must not take them for hosts that it waits for. In the control run
        /// they come from IPv4.
        @Test(arguments: [["0.0.0.0", "4"], ["::1", "6"]]) func `a probe is no host that a client waits for`(
            _ words: [String]
        ) throws {
            let folder = try folder(
                """
                  - name: web
                    server: { command: [./listener.py, "\(words[1])", "\(words[0])", "8080"], ready: { tcp: 8080 } }
                    probe: { from: ipv6, http: /healthz }
                """)
            let output = try folder.suite()
            #expect(output.status == (words[1] == "4" ? 1 : 3), Comment(rawValue: output.standardError))
            #expect(!output.standardError.contains("V6C-013"), Comment(rawValue: output.standardError))
            #expect(!output.standardError.contains("FTP"), Comment(rawValue: output.standardError))
        }

        @Test func `who listens on the loopback alone is broken`() throws {
            let folder = try folder(
                """
                  - name: web
                    server: { command: [./listener.py, "6", "::1", "8080"], ready: { tcp: 8080 } }
                    \(Self.probes("ipv4-through-nat64"))
                    expect: { listens: [ipv6] }
                """)
            let output = try folder.suite()
            #expect(output.status == 3, Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("refused, since it listens on [::1]:8080 (IPv6 only) alone"))
            #expect(output.standardError.contains("it does not listen for IPv6 from other machines"))
        }

        @Test func `a server that needs IPv4 to start fails here`() throws {
            let folder = try folder(
                """
                  - name: web
                    server: { command: [./listener.py, "4", 192.0.2.100, "8080"], ready: { tcp: 8080, within: 3s } }
                    probe: { from: ipv6 }
                """)
            let output = try folder.suite()
            #expect(output.status == 1, Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("the server ended before it was ready (exit 1)"))
        }

        @Test func `a server under test that is not there is a mistake of the file`() throws {
            let folder = try folder(
                """
                  - name: gone
                    server: { command: [./no-such-server], ready: { tcp: 8080 } }
                    probe: { from: ipv6, http: / }
                  - name: dies
                    server: { command: exit 3, ready: { tcp: 8080 } }
                    probe: { from: ipv6, http: / }
                """)
            let output = try folder.suite()
            #expect(output.status == 2, output.told)
            #expect(words(output) == ["gone@nat64": "ERROR", "dies@nat64": "BROKEN"], output.told)
            #expect(output.standardError.contains("the server gone ended before it was ready (exit 127)"), output.told)
        }

        @Test func `a program as a probe, and an answer that is not as expected`() throws {
            let folder = try folder(
                """
                  - name: program
                    server: { command: [./listener.py, "6", "::", "8080"], ready: { tcp: 8080 } }
                    probe: { from: ipv6, command: 'curl -fsS "$PROBE_URL/healthz"', expect: { body: { contains: "hello 2e00" } } }
                  - name: wrong
                    server: { command: [./listener.py, "6", "::", "8080", both], ready: { tcp: 8080 } }
                    probe: { from: ipv6, http: /other }
                """)
            let output = try folder.suite()
            #expect(
                words(output) == ["program@nat64": "PASS", "wrong@nat64": "BROKEN"],
                Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("GET /other at port 8080 from ipv6: status 404"))
        }
    }
}
