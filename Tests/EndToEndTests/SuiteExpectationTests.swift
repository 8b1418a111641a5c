// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TestSupport

extension EndToEnd {
    /// Expectations of a suite other than exit status and text.
    @Suite struct SuiteExpectationTests {
        @Test func `JSON, a file, flows and times`() throws {
            let folder = try SuiteFolder(
                """
                  - name: good
                    command: curl -fsS http://shop.test/ > /dev/null; echo '{"items":[{"name":"shop"}]}'
                    expect:
                      stdout: [ { json: { "items[0].name": shop } }, { file: expected.txt } ]
                      flows: [shop.test tcp/80]
                      slower-than-dual-stack: 20x
                  - name: bad
                    command: curl -fsS http://shop.test/ > /dev/null; echo '{}'
                    expect: { stdout: { json: { "items[0].name": shop } }, flows: [six.test] }
                  - { name: slow, command: "ip -4 route | grep -q . || sleep 1", expect: { slower-than-dual-stack: 2x } }
                  - name: prefers
                    command: curl -4 -fsS http://dual.test/
                    networks: [dual-stack]
                    expect: { ipv4-attempts: 0 }
                """, files: ["expected.txt": "{\"items\":[{\"name\":\"shop\"}]}\n"])
            let output = try folder.suite()
            for text in [
                "stdout is no JSON with \"shop\" at items[0].name", "it gets no answer from six.test",
                "on dual-stack: more than twice as long", "1 IPv4 attempt, expected 0",
            ] {
                #expect(output.standardError.contains(text), Comment(rawValue: output.standardError))
            }
            #expect(output.standardError.contains("4 cases: 1 passed, 2 failed, 1 broken"))
            try folder.write("  - { name: a, command: x, expect: { stdout: { file: none.txt } } }")
            let missing = try folder.suite()
            #expect(missing.status == 2 && missing.standardError.contains("none.txt"))
        }

        @Test func `a test runner that skips all of its tests shows nothing`() throws {
            let folder = try SuiteFolder(
                """
                  - { name: skips, command: "printf '1..2\\nok 1 # SKIP no network\\nok 2 # SKIP no network\\n'", import: tap, offline: true }
                  - { name: tests, command: "printf '1..2\\nok 1 # SKIP no network\\nok 2\\n'", import: tap, offline: true }
                """)
            let output = try folder.suite()
            #expect(output.status == 3, output.told)
            #expect(output.outcomes == ["skips@nat64": "BROKEN", "tests@nat64": "PASS"], output.told)
            #expect(output.standardError.contains("has skipped tests alone"), output.told)
        }

        @Test func `an update of a baseline without news leaves what people wrote in it`() throws {
            let folder = try SuiteFolder("  - { name: a, command: curl -sf -o /dev/null http://shop.test/ }")
            let text = "# keep until TICKET-1\nV6C-001 b curl 198.51.100.10 tcp/80\n"
            try folder.write(text, to: "b.txt")
            let output = try folder.suite("--baseline", "b.txt", "--baseline", "update")
            #expect(output.status == 0 && output.standardError.contains("0 entries added"), output.told)
            #expect(try folder.read("b.txt") == text)
        }

        @Test(arguments: ["suite ipv6check.yaml --junit -", "suite ipv6check.yaml --results -", "--json - true"])
        func `a report to a standard output that is closed is a mistake`(arguments: String) throws {
            let folder = try SuiteFolder("  - { name: a, command: \"true\", offline: true }")
            let output = try run(
                ["sh", "-c", "cd '\(folder.path)' && '\(Binaries.ipv6check)' \(arguments) >&-"])
            #expect(output.status == 2, output.told)
            #expect(output.standardError.contains("standard output is closed; give a file"), output.told)
        }

        @Test func `a green case shows its warning in its line, and the last line counts them`() throws {
            let folder = try SuiteFolder(
                """
                  - { name: licence, command: "timeout 5 nc -z 198.51.100.7 7; curl -sf -o /dev/null http://shop.test/" }
                  - { name: healthy, command: curl -sf -o /dev/null http://shop.test/ }
                  - { name: server, command: python3 server.py }
                """,
                files: [
                    "server.py": """
                    import socket
                    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                    server.bind(("", 5300))
                    socket.create_connection(("shop.test", 80)).close()
                    """
                ])
            let output = try folder.suite("--sarif", "r.sarif")
            #expect(output.status == 0, output.told)
            #expect(
                output.standardError.contains(/PASS +server@nat64 .* warning V6C-025 it listens on IPv4 only\n/),
                output.told)
            let sarif = try folder.read("r.sarif")
            #expect(sarif.contains("server.py") && sarif.contains(/"startLine" : 3\b/), Comment(rawValue: sarif))
            #expect(
                output.standardError.contains(
                    /PASS +licence@nat64 .* warning V6C-024 it works, but an IPv4 connection attempt failed\n/),
                output.told)
            #expect(output.standardError.contains("3 cases: 3 passed; 2 with a warning;"), output.told)
        }

        @Test func `a regular expression that takes for ever is an error, and ends no suite with it`() throws {
            let folder = try SuiteFolder(
                """
                  - { name: endless, command: "printf 'a%.0s' $(seq 60); echo '!'", offline: true, expect: { stdout: { matches: '(a+)+$' } } }
                  - { name: quick, command: echo 12 items, offline: true, expect: { stdout: { matches: '[0-9]+ items' } } }
                """)
            let output = try folder.suite()
            #expect(output.status == 2, output.told)
            #expect(output.outcomes == ["endless@nat64": "ERROR", "quick@nat64": "PASS"], output.told)
            #expect(output.standardError.contains("(a+)+$ is not decided after 5 s"), output.told)
        }

        @Test func `a client that fills its folder is ended, and says so`() throws {
            let folder = try SuiteFolder(
                """
                  - { name: fills, command: "mkdir -p $TMPDIR/a/b; while head -c 5M /dev/zero >> $TMPDIR/a/b/c; do sleep 0.1; done", disk: 20M, timeout: 30s }
                  - { name: small, command: "echo x > $OUT/x; sleep 1.5", disk: 20M, offline: true }
                """)
            let output = try folder.suite(environment: ["TMPDIR": folder.path])
            #expect(output.status == 1, Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("it was ended: it had more than 20 MiB in $TMPDIR and $OUT"))
            #expect(output.standardError.contains("2 cases: 1 passed, 1 error"))
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(left == ["ipv6check.yaml"], "nothing is left")
        }
    }
}
