// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Which runs decide the verdict: failures from time, caches, tracing or sanitizers are no IPv6 problem.
    @Suite struct DecidingRunTests {
        /// Builds a client as users do, with the sanitizer's shared library.
        private func client(_ sanitizer: String, _ source: String) throws -> String {
            let product = Binaries.scratch.appending(path: UUID().uuidString).path
            let build = try run(
                ["cc", "-g", "-fsanitize=\(sanitizer)", "-xc", "-", "-o", product], input: Data(source.utf8))
            try #require(build.status == 0, build.told)
            return product
        }

        private static let literal = """
            #include <arpa/inet.h>
            #include <sys/socket.h>
            int main(void) {
                struct sockaddr_in peer = {.sin_family = AF_INET, .sin_port = htons(80)};
                inet_pton(AF_INET, "198.51.100.10", &peer.sin_addr);
                return connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&peer, sizeof peer) != 0;
            }
            """
        private static let byName = """
            #include <netdb.h>
            #include <sys/socket.h>
            int main(void) {
                struct addrinfo *found, hints = {.ai_socktype = SOCK_STREAM};
                if (getaddrinfo("shop.test", "80", &hints, &found) != 0) return 1;
                int link = socket(found->ai_family, SOCK_STREAM, 0);
                int result = connect(link, found->ai_addr, found->ai_addrlen);
                freeaddrinfo(found);
                return result != 0;
            }
            """

        // MARK: - Sanitizers

        /// LeakSanitizer does not work under ptrace, and ends such a run with its own exit status.
        @Test(arguments: User.available) func `a sanitizer that fails under a tracer decides nothing`(_ user: User)
            throws
        {
            let output = try ipv6check(
                "--getaddrinfo", "linux", try client("leak", Self.literal), as: user)
            #expect(output.status == 1, output.told)
            #expect(output.standardError.contains("the same command works on dual-stack"), output.told)
            #expect(output.standardError.contains("V6C-001"), output.told)
            #expect(output.standardError.contains("it explains, and decides nothing"), output.told)
        }

        @Test(arguments: ["address", "leak", "thread", "undefined"])
        func `a sanitized client that is healthy passes, and one with a literal fails`(_ sanitizer: String) throws {
            expectPass(try ipv6check(try client(sanitizer, Self.byName)))
            let output = try ipv6check(try client(sanitizer, Self.literal))
            #expect(output.status == 1, output.told)
            #expect(output.standardError.contains("V6C-001"), output.told)
        }

        /// The client's children have their own ASAN_OPTIONS, as set by test suites.
        @Test(arguments: [
            ["sh", "-c", "ASAN_OPTIONS=detect_leaks=0 \"$0\" && ASAN_OPTIONS=detect_leaks=0 exec \"$0\""],
            ["perl", "-e", "$ENV{ASAN_OPTIONS} = 'detect_leaks=0'; exit(system($ARGV[0]) >> 8)"],
            [
                "python3", "-c",
                "import os, subprocess, sys; subprocess.run([sys.argv[1]], env=os.environ | {'ASAN_OPTIONS': 'detect_leaks=0'}, check=True)",
            ],
        ]) func `a child with the address sanitizer and options of its own passes`(_ command: [String]) throws {
            expectPass(try run([Binaries.ipv6check, "--"] + command + [try client("address", Self.byName)]))
        }

        @Test func `what the address sanitizer finds is found`() throws {
            let source = "#include <stdlib.h>\nint main(void) { char *p = malloc(3); p[3] = 1; return p[3] == 2; }"
            let output = try ipv6check(try client("address", source))
            #expect(output.status == 3, output.told)
            #expect(output.standardError.contains("heap-buffer-overflow"), output.told)
        }

        // MARK: - Tracers

        @Test(.enabled(if: isInstalled("strace"), "needs strace"))
        func `a client that traces is not judged by a traced run alone`() throws {
            let command = ["strace", "-f", "-o", "/dev/null", "curl", "-fsS", "http://shop.test/"]
            let output = try run([Binaries.ipv6check, "--once", "--trace", "always", "--"] + command)
            #expect(output.status == 5, output.told)
            #expect(output.standardError.contains("NOT JUDGED"), output.told)
            expectPass(try run([Binaries.ipv6check, "--trace", "always", "--"] + command))
        }

        /// As with anti-debugging code and crash handlers.
        @Test func `a client that behaves otherwise under a tracer is judged by the runs without`() throws {
            let isTraced = "! grep -q '^TracerPid:[[:space:]]*0$' /proc/self/status"
            let output = try ipv6check("sh", "-c", "if \(isTraced); then exit 9; fi; curl -fsS4 http://shop.test/")
            #expect(output.status == 1, output.told)
            #expect(output.standardError.contains("the same command works on dual-stack"), output.told)
            let passes = try ipv6check(
                "sh", "-c", "if \(isTraced); then curl -fsS http://shop.test/; exit; fi; curl -fsS4 http://shop.test/")
            #expect(passes.status == 1, passes.told)
        }

        // MARK: - Time

        /// A server that is ready from its third connection on. It is started once for each world of a suite or check.
        private func slowServer(in folder: URL) throws -> String {
            let server = """
                import os, socket
                listener = socket.create_server((os.environ["TCPLOCALIP"], int(os.environ["TCPLOCALPORT"])))
                for answer in [b"starting up\\n"] * 2 + [b"ok\\n"] * 100:
                    connection, _ = listener.accept()
                    connection.sendall(answer)
                    connection.close()
                """
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(server.utf8).write(to: folder.appending(path: "warm.py"))
            let world = folder.appending(path: "world.yaml")
            try Data(
                """
                version: 1
                hosts:
                  t.test:
                    addresses: [198.51.100.90]
                    services: [ { run: { port: 9000, lives: run, command: [python3, warm.py] } } ]
                """.utf8
            ).write(to: world)
            return world.path
        }

        private static let asking = [
            ["bash", "-c", "grep ok </dev/tcp/t.test/9000"],
            [
                "perl", "-MIO::Socket::IP", "-e",
                "my $s = IO::Socket::IP->new('t.test:9000') or die; exit(<$s> ne \"ok\\n\")",
            ],
        ]

        @Test(arguments: asking) func `a server that needs time is no IPv6 problem`(_ command: [String]) throws {
            let folder = Binaries.scratch.appending(path: UUID().uuidString)
            let world = try slowServer(in: folder)
            let output = try run(
                ["env", "-C", folder.path, Binaries.ipv6check, "--world", world, "--"] + command)
            #expect(output.status == 0, output.told)
            #expect(output.standardError.contains("FLAKY"), output.told)
            #expect(output.standardError.contains("something needed time"), output.told)
        }

        /// The client works from the third run on, like a service that warms up.
        @Test func `a suite says so, too`() throws {
            let command = "echo >> $FOLDER/runs; curl -fsS http://shop.test/ && [ $(wc -l < $FOLDER/runs) -ge 3 ]"
            let suite = try SuiteFolder("  - { name: slow, command: '\(command)' }")
            let output = try suite.suite(environment: ["FOLDER": suite.path])
            #expect(output.status == 0, output.told)
            #expect(output.told.rawValue.contains("something needed time"), output.told)
        }

        // MARK: - Caches

        /// Clients that pass after a dual-stack run, because of the cache that it left.
        private static let caching = [
            ["sh", "-c", "cat cache 2>/dev/null || curl -fsS4 http://shop.test/ -o cache"],
            [
                "python3", "-c",
                """
                import os, socket
                if not os.path.exists("cache"):
                    link = socket.socket()
                    link.connect((socket.gethostbyname("shop.test"), 80))
                    open("cache", "w").close()
                """,
            ],
        ]

        @Test(arguments: caching) func `what the control run left makes no pass`(_ command: [String]) throws {
            let folder = Binaries.scratch.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let output = try run(
                ["env", "-C", folder.path, Binaries.ipv6check, "--trace", "never", "--getaddrinfo", "linux", "--"]
                    + command)
            #expect(output.status == 1, output.told)
            #expect(!output.standardError.contains("FLAKY"), output.told)
        }

        /// The failure matches no rule, and the control run's cache would hide it.
        @Test func `a failure without a cause is no pass by a cache`() throws {
            let folder = Binaries.scratch.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let script = """
                [ -e cache ] && exit 0
                ip -4 route | grep -q default || { echo "no default route" >&2; exit 4; }
                curl -fsS http://shop.test/ >/dev/null && touch cache
                """
            let output = try run(
                ["env", "-C", folder.path, Binaries.ipv6check, "--trace", "never", "--", "sh", "-c", script])
            #expect(output.status == 1, output.told)
            #expect(output.standardError.contains("fails on nat64"), output.told)
        }

        @Test func `a failure after all connections of dual-stack says so, and is tried four times`() throws {
            let folder = Binaries.scratch.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let decides =
                "echo run >> runs; curl -fsS http://shop.test/ > /dev/null; [ \"$(grep -c . /proc/net/route)\" -gt 1 ]"
            let output = try run(
                ["env", "-C", folder.path, Binaries.ipv6check, "--trace", "never", "--", "sh", "-c", decides])
            #expect(output.status == 1, output.told)
            #expect(output.standardError.contains("V6C-094"), output.told)
            #expect(!output.standardError.contains("No cause was found."), output.told)
            let runs = try String(contentsOf: folder.appending(path: "runs"), encoding: .utf8)
            #expect(runs.split(separator: "\n").count == 4, output.told)
        }

        // MARK: - The other way around

        @Test func `a client that fails on dual-stack alone has a finding`() throws {
            let program =
                "import socket; socket.create_connection(socket.getaddrinfo('echo.test', 7, socket.AF_INET6)[0][4][:2], 3)"
            let output = try ipv6check("--control", "always", "--fail-on", "warning", "--", "python3", "-c", program)
            #expect(output.status == 1, output.told)
            #expect(output.standardError.contains("V6C-088"), output.told)
        }

        /// shop.test has no IPv6 address: an IPv6-only program reaches it only through NAT64.
        @Test func `a client that fails on IPv4 and on dual-stack is tried on nat64`() throws {
            let output = try ipv6check(
                "--network", "ipv4-only", "python3", "-c",
                "import socket; socket.create_connection(socket.getaddrinfo('shop.test', 80, socket.AF_INET6)[0][4][:2], 3)"
            )
            #expect(output.status == 1, output.told)
            #expect(output.standardError.contains("fails on ipv4-only; the same command works on nat64"), output.told)
            #expect(output.standardError.contains("why         V6C-071"), output.told)
            let broken = try ipv6check("--network", "ipv4-only", "false")
            #expect(broken.status == 3, broken.told)
        }
    }
}
