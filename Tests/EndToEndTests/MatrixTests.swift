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

        @Test func `mistakes are red in the rows that are for them`() throws {
            let client = Binaries.scratch.appending(path: "m\(UUID().uuidString.prefix(8)).py")
            // It asks for IPv4 first, waits for one address after the other, and knows no proxy.
            try """
            import socket, sys
            def reach(address, family):
                s = socket.socket(family); s.settimeout(60); s.connect((address, 80))
                s.sendall(b"GET / HTTP/1.0\\r\\nHost: " + sys.argv[1].encode() + b"\\r\\n\\r\\n")
                return s.recv(12).endswith(b"200")
            try:
                addresses = {i[4][0]: i[0] for i in socket.getaddrinfo(sys.argv[1], 80, type=socket.SOCK_STREAM)}
                address, family = next(iter(addresses.items()))
                sys.exit(not reach(address, family))
            except OSError as error: sys.exit(str(error))
            """.write(to: client, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: client.path)
            let said = try matrix(
                "--timeout", "5s", "--tag", "extended", "--tag", "names", "--", "python3", client.path, "{host}")
            #expect(said.status == 3, "\(said.standardError)")
            let lines = said.standardError.split(separator: "\n").map { $0.split(separator: " ") }
            // A case that takes long is told of before.
            let outcomes = Dictionary(
                lines.filter { $0.count > 1 && $0[1].contains("@") }.map { (String($0[1]), String($0[0])) },
                uniquingKeysWith: { $1 })
            // It tries the first address alone: dead AAAA records are none of IPv6's doing, and fail on dual-stack.
            #expect(outcomes["extended-silent-ipv6@dual-stack"] == "BROKEN", "\(said.standardError)")
            #expect(outcomes["names-wrong-aaaa@dual-stack"] == "BROKEN", "\(said.standardError)")
            #expect(outcomes["extended-literal-dotted@strict"] == "PASS", "\(said.standardError)")
            #expect(outcomes["names-mapped@nat64"] == "PASS", "\(said.standardError)")
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
