// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// `ipv6check matrix`.
    @Suite struct Matrix {
        private func matrix(_ words: String...) throws -> Output {
            try run([Binaries.ipv6check, "matrix"] + words, as: .available[0], seconds: 170)
        }

        @Test func `curl is as the rows have it`() throws {
            let file = Binaries.scratch.appending(path: "statement.json")
            let said = try matrix("--statement", file.path, "--", "curl", "-fsS", "-m", "15", "http://{host}/")
            #expect(said.status == 0, "\(said.standardError)")
            let statement = try #require(
                JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
            let answers = try #require(statement["answers"] as? [[String: Any]])
            #expect(answers.first?["answer"] as? String == "Yes, in 14 of 14 cases on nat64, strict and strict-no-lo4.")
            let programs = try #require(statement["programs"] as? [[String: String]])
            #expect(programs.count == 1 && programs[0]["path"]?.hasSuffix("/curl") == true)
            #expect(programs[0]["digest"]?.hasPrefix("sha256:") == true)
            #expect(said.standardError.contains("30 cases: 28 passed"), "\(said.standardError.suffix(600))")
        }

        /// A client without a mistake, or with a mistake for each kind of row.
        private static let client = """
            import os, socket, sys
            mistake, host = sys.argv[1:]
            def connected(name, port):
                family = socket.AF_INET if mistake == "IPv4 alone" else 0
                entries = socket.getaddrinfo(name, port, family, socket.SOCK_STREAM)
                if mistake == "the first address": entries = entries[:1]
                if mistake == "a mapped address" and any(e[4][0].startswith("::ffff:") for e in entries):
                    raise ValueError("an address of this machine?")
                failure = None
                for family, _, _, _, address in entries:
                    s = socket.socket(family); s.settimeout(2)
                    try:
                        s.connect(address)
                        return s
                    except OSError as error: failure = error
                raise failure
            try:
                if mistake == "127.0.0.1": socket.socket().bind(("127.0.0.1", 0))
                if mistake == "a colon ends a name": host = host.split(":")[0]
                proxy = os.environ.get("http_proxy", "").removeprefix("http://")
                if mistake == "a colon ends a proxy" and proxy:
                    name, port = proxy.split(":")[:2]
                    s = connected(name, int(port))
                elif proxy:
                    name, _, port = proxy.rpartition(":")
                    s = connected(name.strip("[]"), int(port))
                else: s = connected(host, 80)
                target = f"http://{host}/" if proxy else "/"
                s.sendall(f"GET {target} HTTP/1.0\\r\\nHost: {host}\\r\\n\\r\\n".encode())
                answer = s.recv(64)
                if b" 200 " not in answer: sys.exit(f"{answer}")
            except (OSError, ValueError) as error: sys.exit(f"{error}")
            """

        /// - Parameter red: the outcome of each red row.
        @Test(arguments: [
            ("none", ["base", "extended", "proxies", "names"], [:]),
            (
                "IPv4 alone", ["base"],
                ["base-2@dual-stack": "BROKEN", "base-4@nat64": "FAIL", "base-5@strict": "FAIL"]
            ),
            ("127.0.0.1", ["extended"], ["extended-no-loopback4@strict-no-lo4": "FAIL"]),
            (
                "a colon ends a name", ["extended"],
                [
                    "extended-literal-full@strict": "BROKEN", "extended-literal-short@strict": "BROKEN",
                    "extended-literal-upper@strict": "BROKEN", "extended-literal-dotted@strict": "BROKEN",
                ]
            ),
            (
                "the first address", ["extended", "names"],
                [
                    "extended-silent-ipv6@dual-stack": "BROKEN", "names-wrong-aaaa@dual-stack": "BROKEN",
                    "names-wrong-aaaa@nat64+clat": "BROKEN", "names-wrong-aaaa@nat64": "BROKEN",
                    "names-wrong-aaaa@strict": "BROKEN",
                ]
            ),
            (
                "a colon ends a proxy", ["proxies"],
                ["proxy-ipv6-to-ipv4@strict": "BROKEN", "proxy-ipv6-to-ipv6@strict": "BROKEN"]
            ),
            ("a mapped address", ["names"], ["names-mapped@dual-stack": "BROKEN"]),
        ])
        func `a mistake is red in the rows that are for it`(
            mistake: String, tags: [String], red: [String: String]
        ) throws {
            let client = Binaries.scratch.appending(path: "m\(UUID().uuidString.prefix(8)).py")
            try Self.client.write(to: client, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: client.path)
            let chosen = tags.flatMap { ["--tag", $0] }
            let said = try run(
                [Binaries.ipv6check, "matrix"] + chosen + ["--", "python3", client.path, mistake, "{host}"],
                as: .available[0], seconds: 170)
            #expect(Self.red(said) == red, "\(said.standardError)")
            let code: Int32 = red.values.contains("FAIL") ? 1 : red.isEmpty ? 0 : 3
            #expect(said.status == code, "\(said.standardError)")
        }

        /// The rows that are neither passed nor skipped.
        private static func red(_ said: Output) -> [String: String] {
            let lines = said.standardError.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
            let outcomes = lines.filter { $0.count > 1 && $0[1].contains("@") && $0[0] == $0[0].uppercased() }
            return Dictionary(outcomes.map { ($0[1], $0[0]) }, uniquingKeysWith: { $1 })
                .filter { $0.value != "PASS" && $0.value != "SKIP" }
        }

        @Test(
            .enabled(if: isInstalled("go"), "needs go"),
            arguments: [
                ("both", [:]),
                // Go binds to 127.0.0.1 to probe what IPv6 sockets can do.
                ("tcp", ["extended-no-loopback4@strict-no-lo4": "FAIL"]),
                (
                    "tcp4",
                    [
                        "base-2@strict": "FAIL", "base-5@dual-stack": "FAIL", "data-centre@nat64": "FAIL",
                        "data-centre@nat64+clat": "FAIL", "extended-no-loopback4@strict-no-lo4": "FAIL",
                    ]
                ),
            ])
        func `a static server of Go has the rows for servers`(network: String, red: [String: String]) throws {
            let source = """
                package main

                import (
                	"net"
                	"net/http"
                	"os"
                )

                func main() {
                	networks := []string{os.Args[1]}
                	if os.Args[1] == "both" {
                		networks = []string{"tcp4", "tcp6"}
                	}
                	for _, network := range networks {
                		if listener, err := net.Listen(network, ":8080"); err == nil {
                			go http.Serve(listener, nil)
                		}
                	}
                	select {}
                }
                """
            let folder = try SuiteFolder("", files: ["server.go": source])
            let built = try folder.bash(
                "GOCACHE=$PWD/.cache GO111MODULE=off CGO_ENABLED=0 go build -o server server.go")
            try #require(built.status == 0, built.told)
            let said = try run(
                [Binaries.ipv6check, "matrix", "--listen", "8080", "--", folder.path("server"), network],
                as: .available[0], seconds: 170)
            #expect(Self.red(said) == red, "\(said.standardError)")
            #expect(said.status == (red.isEmpty ? 0 : 1), "\(said.standardError)")
            #expect(said.standardError.contains("Without 127.0.0.1 Go takes") == (network == "tcp"))
        }

        @Test func `its rows are written as a suite, once`() throws {
            let folder = Binaries.scratch.appending(path: "x\(UUID().uuidString.prefix(8))").path
            let words = ["--suite", folder, "--", "curl", "-fsS", "a \"b\"", "http://{host}/"]
            let written = try run([Binaries.ipv6check, "matrix"] + words, as: .root)
            #expect(written.status == 0, "\(written.standardError)")
            let checked = try run([Binaries.ipv6check, "suite", "check", "\(folder)/ipv6check.yaml"], as: .root)
            #expect(
                checked.status == 0 && checked.text.contains("23 tests, 30 cases"),
                "\(checked.standardError)\(checked.text)")
            let text = try String(contentsOfFile: "\(folder)/ipv6check.yaml", encoding: .utf8)
            #expect(text.contains("command: [curl, -fsS, \"a \\\"b\\\"\", \"http://[2e00:2:0:cafe::20]/\"]"), "\(text)")
            #expect(try run([Binaries.ipv6check, "matrix"] + words, as: .root).status == 2)
            let unnamed = try matrix("--", "curl", "http://shop.test/")
            #expect(unnamed.status == 2 && unnamed.standardError.contains("no word of the command has {host}"))
        }
    }
}
