// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// A pass is proven or reported as unproven, by the kernel's counters of a client that is not traced.
    @Suite struct SilentPassTests {
        private struct Report: Decodable {
            struct Finding: Decodable {
                var rule: String
            }
            var findings: [Finding]
        }

        /// The rules of the findings on a client that passes.
        private func rules(
            _ command: [String], options: [String] = [], world: String = SilentPassTests.world,
            as user: User = .available[0]
        ) throws -> [String] {
            let folder = try SuiteFolder("", files: ["world.yaml": world])
            let json = folder.path("report.json")
            let words = [Binaries.ipv6check, "--json", json, "--world", folder.path("world.yaml")] + options
            let output = try run(words + ["--"] + command, as: user)
            expectPass(output)
            return try JSONDecoder().decode(Report.self, from: Data(contentsOf: URL(filePath: json))).findings.map(
                \.rule)
        }

        private static let world = """
            version: 1
            hosts:
              metrics.test: { addresses: [198.51.100.35], services: { udp-echo: 8125 } }
              shop.test: { addresses: [198.51.100.10], services: [http] }
              both.test: { addresses: [198.51.100.20, "2e00:2:0:cafe::20"], services: [http] }
            records:
              - list.test A 127.0.0.2
              - www.shop.test CNAME shop.test
            """

        private static let metric = """
            import socket
            address = socket.gethostbyname("metrics.test")
            try: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"builds:1|c", (address, 8125))
            except OSError: pass
            """

        @Test(arguments: User.available) func `a metric that never arrives is told`(_ user: User) throws {
            #expect(try rules(["python3", "-c", Self.metric], as: user) == ["V6C-085"])
        }

        @Test func `whatever language sends it, statically linked or not`() throws {
            let c = """
                #include <netdb.h>
                #include <netinet/in.h>
                #include <string.h>
                #include <sys/socket.h>
                int main(void) {
                    struct hostent *host = gethostbyname("metrics.test");
                    if (!host) return 1;
                    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(8125)};
                    memcpy(&to.sin_addr, host->h_addr_list[0], 4);
                    sendto(socket(AF_INET, SOCK_DGRAM, 0), "x", 1, 0, (struct sockaddr *)&to, sizeof to);
                    return 0;
                }
                """
            let folder = try SuiteFolder("", files: ["metric.c": c])
            // glibc warns that a static gethostbyname needs its shared libraries at run time.
            let built = try folder.bash("cc -static -w -o metric metric.c 2> told || { cat told >&2; exit 1; }")
            try #require(built.status == 0, built.told)
            #expect(try rules([folder.path("metric")]) == ["V6C-085"])
            let perl = #"IO::Socket::INET->new(PeerAddr => "metrics.test:8125", Proto => "udp")"#
            #expect(try rules(["perl", "-MIO::Socket::INET", "-e", perl]) == ["V6C-085"])
        }

        @Test(.enabled(if: isInstalled("go"), "needs go")) func `a Go program without libc does, too`() throws {
            let go = """
                package main

                import "net"

                func main() {
                	if c, err := net.Dial("udp4", "metrics.test:8125"); err == nil {
                		c.Write([]byte("x"))
                	}
                }
                """
            let folder = try SuiteFolder("", files: ["metric.go": go])
            let built = try folder.bash(
                "GOCACHE=$PWD/.cache GO111MODULE=off CGO_ENABLED=0 go build -o metric metric.go")
            try #require(built.status == 0, built.told)
            #expect(try rules([folder.path("metric")]) == ["V6C-085"])
        }

        @Test func `who only looks up is told a note, and an answer that is no host's address nothing`() throws {
            let lookup = "import socket; socket.gethostbyname('metrics.test')"
            #expect(try rules(["python3", "-c", lookup]) == ["V6C-089"])
            #expect(try rules(["python3", "-c", "import socket; socket.gethostbyname('list.test')"]).isEmpty)
            let other =
                "import socket; socket.gethostbyname('www.shop.test'); socket.create_connection(('shop.test', 80))"
            #expect(try rules(["python3", "-c", other]).isEmpty)
        }

        /// Tools that only look names up, and a client with its own forwarder.
        @Test func `dig, and a client of a forwarder that it has itself, are told nothing that is wrong`() throws {
            #expect(try rules(["dig", "+short", "A", "shop.test"]).allSatisfy { $0 == "V6C-089" })
            #expect(try rules(["dig", "+short", "AAAA", "shop.test"]).isEmpty)
            let forwarder = """
                import socket, threading
                here, there = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
                here.bind(("127.0.0.1", 5353))
                there.connect((open("/etc/resolv.conf").read().split("nameserver ")[1].split()[0], 53))
                def forward():
                    while True:
                        query, asker = here.recvfrom(512)
                        there.send(query)
                        here.sendto(there.recv(4096), asker)
                threading.Thread(target=forward, daemon=True).start()
                import subprocess
                for family in ("A", "AAAA"):
                    answer = subprocess.run(["dig", "-p", "5353", "@127.0.0.1", "+short", family, "shop.test"], capture_output=True, text=True)
                    assert answer.returncode == 0, answer
                socket.create_connection((answer.stdout.split()[0], 80), 5)
                """
            #expect(try rules(["python3", "-c", forwarder]).isEmpty)
        }

        @Test func `what getaddrinfo connects to sort its answer, and a late IPv6 answer, are no attempts`() throws {
            for name in ["shop.test", "both.test"] {
                let fetch = ["curl", "-fsS", "http://\(name)/"]
                #expect(try rules(fetch).isEmpty)
                #expect(try rules(fetch, options: ["--conditions", "delay=300ms"]).isEmpty)
                #expect(try rules(fetch, options: ["--getaddrinfo", "linux"]).isEmpty)
            }
        }

        @Test func `an attempt by an address of its own is told without a trace`() throws {
            let telemetry = """
                import socket
                socket.create_connection(("shop.test", 80)).close()
                try: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("203.0.113.7", 9))
                except OSError: pass
                """
            #expect(try rules(["python3", "-c", telemetry]) == ["V6C-024"])
        }

        @Test(arguments: User.available) func `a client that is gone at once has been counted`(_ user: User) throws {
            for network in ["nat64", "dual-stack", "ipv4-only"] {
                #expect(try rules(["true"], options: ["--network", network], as: user) == ["V6C-086"])
            }
            #expect(try rules(["true"], options: ["--link", "ra"], as: user) == ["V6C-086"])
        }

        @Test func `loopback and multicast are a use of the network`() throws {
            let loopback = """
                import socket
                a = socket.create_server(("::1", 0), family=socket.AF_INET6)
                socket.create_connection(a.getsockname()[:2])
                """
            let multicast = """
                import socket
                s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
                s.sendto(b"x", ("ff02::fb", 5353, 0, socket.if_nametoindex("eth0")))
                """
            for program in [loopback, multicast] { #expect(try rules(["python3", "-c", program]).isEmpty) }
        }

        @Test func `a case that sends nothing is red, and a test may say that it needs no network`() throws {
            let folder = try SuiteFolder(
                """
                  - { name: nothing, command: ["true"] }
                  - { name: version, command: ["true"], offline: true }
                  - { name: fetch, command: [curl, -fsS, "http://shop.test/"] }
                """)
            let output = try folder.suite()
            #expect(
                output.outcomes == ["nothing@nat64": "FAIL", "version@nat64": "PASS", "fetch@nat64": "PASS"],
                output.told)
            #expect(output.status == 1 && output.standardError.contains("offline: true"))
            #expect(!output.standardError.contains("new IPv4 dependencies"))
        }

        @Test func `a suite's test is traced where it says so`() throws {
            let (name, literal) = ("[curl, -fsS, \"http://shop.test/\"]", "[curl, -fsS, \"http://198.51.100.10/\"]")
            let folder = try SuiteFolder(
                """
                  - { name: usual, command: \(name) }
                  - { name: traced, command: \(name), trace: always }
                  - { name: failing, command: \(literal) }
                  - { name: never, command: \(literal), trace: never }
                """)
            let output = try folder.suite("--results", "r.ndjson")
            #expect(
                output.outcomes
                    == ["usual@nat64": "PASS", "traced@nat64": "PASS", "failing@nat64": "FAIL", "never@nat64": "FAIL"],
                output.told)
            let lines = try folder.read("r.ndjson").split(separator: "\n")
            for (test, isTraced) in [("traced", true), ("usual", false), ("failing", true), ("never", false)] {
                let line = try #require(lines.last { $0.contains("\"id\":\"\(test)@nat64\"") })
                // Only a traced run has its processes in the chart.
                #expect(line.contains("\"kind\":\"process\"") == isTraced, "\(test)")
            }
        }
    }
}
