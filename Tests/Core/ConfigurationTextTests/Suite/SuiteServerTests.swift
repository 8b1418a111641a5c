// SPDX-License-Identifier: Apache-2.0
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
              b: { in: client, command: b, ready: { https: 2/x, within: 3s }, needs: a }
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
        #expect(servers[1].ready == [.page(PageRequest(.https, 2, path: "/x"))])
        #expect(servers[1].within == .seconds(3))
    }

    @Test func `a server under test with its probes`() throws {
        let suite = try suite(
            """
            tests:
              - name: web
                server: { command: [./shopd], ready: { tcp: 8080 } }
                networks: [nat64, "nat64+clat", nat64-no-dns64]
                probe:
                  - { from: ipv6, http: /healthz, expect: { status: 200, body: { contains: ok } } }
                  - { from: ipv4-through-nat64, http: 8081/ }
                  - { from: ipv4-through-nat64, https: 8443/x, expect: { status: 204 } }
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
                Probe(.ipv6, .page(PageRequest(.http, 8080, path: "/healthz")), status: 200, body: [.contains("ok")]),
                Probe(.ipv4ThroughNAT64, .page(PageRequest(.http, 8081, path: "/"))),
                Probe(.ipv4ThroughNAT64, .page(PageRequest(.https, 8443, path: "/x")), status: 204),
                Probe(.ipv4ThroughNAT64, .tcp(8080)),
                Probe(.ipv6, .tcp(9)),
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
                    "6:66: a probe has one of http, https, tcp and command, not http and tcp",
                    "7:53: http must be a port and a path such as 8080/healthz, not \"a b\"",
                    "7:71: the probe has no port: the server is not ready at one, so write port: 8080, for example",
                    "7:103: no server under test ends: take exit out",
                ])
    }

    private func problems(probe: String, networks: String?) -> [String] {
        problems(
            "tests: [ { name: web, server: { command: x, ready: { tcp: 1 } }, \(networks.map { "networks: [\($0)], " } ?? "")probe: \(probe) } ]"
        )
    }

    @Test func `a probe that cannot be made on a network is told for each case`() {
        #expect(
            problems(probe: "{ from: ipv4 }", networks: nil) == [
                "2:73: web@nat64: no probe from ipv4 can be made on nat64: no IPv4 route leads to the server there; "
                    + "there it is from ipv6 or ipv4-through-nat64, and from ipv4 it is for a test on ipv4-only or dual-stack"
            ])
        let lines = problems(
            probe: "{ from: ipv4-through-nat64 }", networks: "strict, ipv4-only, nat64+clat, dual-stack")
        #expect(
            lines.map { $0.split(separator: ";")[0].drop { $0 != "w" } } == [
                "web@strict: no probe from ipv4-through-nat64 can be made on strict: there is no NAT64",
                "web@ipv4-only: no probe from ipv4-through-nat64 can be made on ipv4-only: there is no NAT64",
                "web@dual-stack: no probe from ipv4-through-nat64 can be made on dual-stack: there is no NAT64",
            ])
        #expect(lines.first?.hasSuffix("it is for a test on nat64, nat64-no-dns64 or nat64+clat") == true)
    }

    /// A CLAT's IPv4 address is usable on its own machine only.
    @Test(arguments: [("ipv4", "nat64+clat"), ("ipv6", "ipv4-only"), ("ipv4", "strict-no-lo4")])
    func `nor is one of these possible`(_ origin: String, _ network: String) {
        #expect(
            problems(probe: "[ { from: ipv6 }, { from: \(origin) } ]", networks: network).count
                == (origin == "ipv6" ? 2 : 1))
    }

    @Test(arguments: [
        ("{ from: ipv6 }", "nat64, nat64-no-dns64, nat64+clat, strict, strict-no-lo4, dual-stack"),
        ("{ from: ipv4 }", "ipv4-only, dual-stack"),
        ("[ { from: ipv6 }, { from: ipv4-through-nat64 } ]", "nat64, nat64-no-dns64, nat64+clat"),
    ])
    func `and these are`(_ probe: String, _ networks: String) {
        #expect(problems(probe: probe, networks: networks).isEmpty)
    }

    @Test func `a list without a probe asks for nothing, and so does an expectation of nothing`() {
        #expect(
            problems(probe: "[]", networks: nil) == [
                "2:73: there is no probe in the list: write probe: [{ from: ipv6, http: /healthz }], or take it out"
            ])
        #expect(problems("tests: [ { name: a, server: { command: x, ready: { tcp: 1 } }, expect: {} } ]").count == 1)
        #expect(
            problems("tests: [ { name: a, server: { command: x, ready: { tcp: 1 } }, expect: { listens: ipv6 } } ]")
                .isEmpty)
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
