import Suites
import TestResults
import Testing

@testable import ConfigurationText

/// `servers:`, `server:`, `probe:` and `import:`.
@Suite struct SuiteServerTests {
    private func suite(_ text: String) throws(SuiteFileError) -> Suite {
        try Suite(yaml: Array("version: 1\n\(text)".utf8), name: "s", rules: [])
    }

    private func problems(_ text: String) -> [String] {
        do throws(SuiteFileError) {
            _ = try suite(text)
            return []
        } catch {
            return "\(error)".split(separator: "\n").map { String($0.dropFirst("s:".count)) }
        }
    }

    @Test func `servers come in the order in which they need each other`() throws {
        let suite = try suite(
            """
            servers:
              c: { in: client, command: c, ready: { tcp: 3 }, needs: [b, a] }
              b: { in: client, command: b, ready: { http: 2/x, within: 3s }, needs: a }
              a: { in: world, host: shop.test, command: [a, b], env: { A: b }, cwd: x, ready: { log: up, file: f } }
            tests: [ { name: t, command: x, needs: [c, a] } ]
            """)
        let servers = try #require(suite.tests.first).servers
        #expect(servers.map(\.name) == ["a", "b", "c"])
        #expect(
            servers[0]
                == SuiteServer(
                    name: "a", place: .world(host: "shop.test"), command: .words(["a", "b"]), environment: ["A": "b"],
                    folder: "x", ready: [.log("up"), .file("f")]))
        #expect(servers[1].ready == [.http(2, path: "/x")])
        #expect(servers[1].within == .seconds(3))
    }

    @Test func `a server under test with its probes`() throws {
        let suite = try suite(
            """
            tests:
              - name: web
                server: { command: [./shopd], ready: { tcp: 8080 } }
                probe:
                  - { from: ipv6, http: /healthz, expect: { status: 200, body: { contains: ok } } }
                  - { from: ipv4, http: 8081/ }
                  - { from: ipv4-through-nat64 }
                  - { from: ipv6, tcp: 9 }
                  - { from: ipv6, command: curl -f "$PROBE_URL", port: 7 }
                expect: { listens: [ipv6], log: { contains: up } }
            """)
        let test = try #require(suite.tests.first)
        #expect(test.subject?.name == "web")
        #expect(test.command == .words(["./shopd"]))
        #expect(
            test.probes == [
                Probe(.ipv6, .http(8080, path: "/healthz"), status: 200, body: [.contains("ok")]),
                Probe(.ipv4, .http(8081, path: "/")), Probe(.ipv4ThroughNAT64, .tcp(8080)), Probe(.ipv6, .tcp(9)),
                Probe(.ipv6, .command(["/bin/sh", "-c", "curl -f \"$PROBE_URL\""], port: 7)),
            ])
        #expect(test.expectations.listens == [.ipv6])
        #expect(test.expectations.log == [.contains("up")])
    }

    @Test func `what servers and probes cannot be`() {
        #expect(
            problems(
                """
                tests:
                  - { name: a, server: { command: x, ready: { log: up } }, probe: { from: ipv6 } }
                  - { name: b, server: { command: x, ready: { tcp: 1 } } }
                  - { name: c, command: x, probe: { from: ipv6 }, needs: d, expect: { listens: ipv6 } }
                  - { name: d, server: { command: x, ready: { tcp: 1 } }, probe: { from: ipv6, tcp: 1, http: / } }
                  - { name: e, server: { command: x, ready: { http: "a b" } }, probe: { from: ipv6 }, expect: { exit: 1 } }
                """) == [
                    "3:67: the probe has no port: the server is not ready at one, so write port: 8080, for example",
                    "4:5: nothing is asked of the server: write probe: [{ from: ipv6, http: /healthz }]",
                    "5:35: probes are for a server: write server: { command: [./shopd], ready: { tcp: 8080 } }",
                    "5:58: there are no servers: write servers: { cache: { in: client, command: [redis-server], ready: { tcp: 6379 } } } for the suite",
                    "5:80: a server listens, a client has not: take listens out",
                    "6:66: a probe has one of http, tcp and command, not http and tcp",
                    "7:53: http must be a port and a path such as 8080/healthz, not \"a b\"",
                    "7:71: the probe has no port: the server is not ready at one, so write port: 8080, for example",
                    "7:103: no server under test ends: take exit out",
                ])
    }

    @Test(arguments: [
        ("import: tap", InnerReport(.tap, file: nil)), ("import: { go-test: \"-\" }", InnerReport(.goTest, file: nil)),
        ("import: { junit: a/b.xml }", InnerReport(.junit, file: "a/b.xml")),
    ])
    func `where a test runner reports`(_ text: String, _ report: InnerReport) throws {
        #expect(try suite("tests: [ { name: a, command: x, \(text) } ]").tests.first?.report == report)
    }

    @Test(arguments: [
        "import: {}", "import: { junit: /etc/passwd }", "import: { tap: ../x }", "import: { junit: a, tap: b }",
        "import: xunit", "import: [tap]",
    ])
    func `and where it does not`(_ text: String) {
        #expect(problems("tests: [ { name: a, command: x, \(text) } ]").count == 1)
    }
}
