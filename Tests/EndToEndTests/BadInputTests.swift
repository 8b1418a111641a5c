// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Bad input gets one line that says what to do, and the right exit code.
    @Suite struct BadInputTests {
        private func expectOneLine(
            _ output: Output, status: Int32, containing text: String, sourceLocation: SourceLocation = #_sourceLocation
        ) {
            #expect(output.status == status, sourceLocation: sourceLocation)
            #expect(
                output.standardError.split(separator: "\n").count == 1, Comment(rawValue: output.standardError),
                sourceLocation: sourceLocation)
            #expect(
                output.standardError.contains(text), Comment(rawValue: output.standardError),
                sourceLocation: sourceLocation)
        }

        @Test func `a world file that does not exist is named`() throws {
            expectOneLine(
                try ipv6check("--world", "/nonexistent/world.yaml", "true"), status: 2,
                containing: "/nonexistent/world.yaml")
        }

        @Test func `a mistake in a world file is pointed at`() throws {
            let file = Binaries.scratch.appending(path: "broken.yaml")
            try Data("version: 1\nhosts:\n  shop.test:\n    adresses: [198.51.100.10]\n".utf8).write(to: file)
            let output = try ipv6check("--world", file.path, "true")
            #expect(output.status == 2)
            #expect(output.standardError.contains("\(file.path):4:5: "), Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("addresses"), "it suggests the key that was meant")
        }

        @Test func `a pipe into which nothing is written is not waited for`() throws {
            let pipe = Binaries.scratch.appending(path: "silent-\(UUID().uuidString).yaml").path
            try #require(try run(["mkfifo", pipe]).status == 0)
            expectOneLine(
                try ipv6check("--world", pipe, "true"), status: 2, containing: "nothing has come through it for 10 s")
            let written = try run([
                "bash", "-c",
                "exec \"$0\" suite check <(sleep 1; printf 'version: 1\\ntests: [{ name: a, command: \"true\" }]\\n')",
                Binaries.ipv6check,
            ])
            #expect(written.status == 0, written.told)
        }

        @Test func `a program without a name is one line`() throws {
            expectOneLine(try ipv6check(""), status: 2, containing: "the program's name is empty")
        }

        @Test func `another world is served`() throws {
            let file = Binaries.scratch.appending(path: "world.yaml")
            let world = """
                version: 1
                hosts:
                  api.example:
                    addresses: [203.0.113.5]
                    services: { http: 8080 }
                """
            try Data(world.utf8).write(to: file)
            expectPass(try ipv6check("--world", file.path, "curl", "-fsS", "http://api.example:8080/"))
            let refused = try ipv6check("--world", file.path, "curl", "-fsS", "http://api.example/")
            #expect(refused.status == 3)
            #expect(refused.standardError.contains("refused the connection"))
        }

        @Test func `a full disk under the JSON report is said`() throws {
            expectOneLine(try ipv6check("--quiet", "--json", "/dev/full", "true"), status: 2, containing: "/dev/full")
        }

        @Test func `a folder that does not exist under the JSON report is said`() throws {
            expectOneLine(
                try ipv6check("--json", "/nonexistent/report.json", "true"), status: 2,
                containing: "/nonexistent/report.json")
        }

        @Test func `unknown options are usage errors`() throws {
            #expect(try ipv6check("--nonsense", "true").status == 2)
            #expect(try ipv6check("--timeout", "never", "true").status == 2)
            #expect(try ipv6check("--network", "ipv4", "true").status == 2)
        }

        @Test(needsRoot) func `where user namespaces are forbidden the mend is named`() throws {
            // The limit is per user namespace: in one of our own it can be set without touching the machine.
            let output = try run([
                "unshare", "-Ur", "sh", "-c",
                "echo 0 > /proc/sys/user/max_user_namespaces; echo 0 > /proc/sys/user/max_net_namespaces; "
                    + "exec '\(Binaries.ipv6check)' true",
            ])
            expectOneLine(output, status: 5, containing: "max_user_namespaces")
        }
    }
}
