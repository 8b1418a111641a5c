// SPDX-License-Identifier: Apache-2.0
import Evidence
import Suites
import Testing
import Topology

@testable import ConfigurationText

@Suite struct SuiteFileTests {
    private func suite(_ text: String) throws(SuiteFileError) -> Suite {
        try Suite(yaml: Array(text.utf8), name: "ipv6check.yaml", rules: ["V6C-001", "V6C-002"])
    }

    /// `4:5: message` for each problem.
    private func problems(_ text: String) -> [String] {
        do throws(SuiteFileError) {
            _ = try suite(text)
            return []
        } catch {
            return "\(error)".split(separator: "\n").map { String($0.dropFirst("ipv6check.yaml:".count)) }
        }
    }

    @Test func `the smallest suite has three lines`() throws {
        let suite = try suite(
            """
            version: 1
            tests:
              - { name: fetch, command: [./shop, fetch] }
            """)
        #expect(suite.cases.map(\.id) == ["fetch@nat64"])
        let test = try #require(suite.tests.first)
        #expect(test == SuiteTest(name: "fetch", line: 3, command: .words(["./shop", "fetch"])))
    }

    @Test func `every key`() throws {
        let suite = try suite(
            """
            version: 1
            name: shop
            world: ci/world.yaml
            baseline: ci/baseline.txt
            networks: [nat64, dual-stack]
            groups: { licence-server: 2 }
            defaults: { timeout: 30s, grace: 0, slow: 2m, env: { A: "1", B: "2" }, getaddrinfo: apple, fail-on: warning, offline: true, trace: always }
            tests:
              - name: fetch
                command: ./shop fetch
                cwd: backend
                tags: [smoke, quick]
                env: { B: "3" }
                timeout: 1.5
                getaddrinfo: linux
                url-loading: apple
                conditions: [lte, "nat64:loss=3%"]
                nat64: forgets=30s
                proxy: keep
                offline: false
                trace: never
                caches: keep
                fail-on: error
                expect:
                  exit: 3
                  stdout: { contains: items, matches: "^[0-9]" }
                  stderr: [ { equals: "" } ]
                known:
                  - rule: V6C-001
                    target: 203.0.113.5
                    on: [nat64]
                    reason: the vendor's list
                    issue: https://example.com/1
                    until: 2027-03-31
                  - { rule: V6C-002, reason: old, until: never }
                skip: no licence
                group: licence-server
                cpus: 4
              - { name: other, command: "true", networks: nat64 }
            """)
        let test = try #require(suite.tests.first)
        var expected = SuiteTest(name: "fetch", line: 9, command: .shell("./shop fetch"))
        expected.networks = [.nat64, .dualStack]
        expected.environment = ["A": "1", "B": "3"]
        expected.folder = "backend"
        expected.tags = ["smoke", "quick"]
        expected.timeout = .milliseconds(1500)
        expected.grace = .zero
        expected.slow = .seconds(120)
        expected.request.conditions = ["lte", "nat64:loss=3%"]
        expected.request.nat64 = ["forgets=30s"]
        expected.request.proxies = .keep
        expected.trace = .never
        expected.request.caches = .keep
        expected.expectations = Expectations(
            exit: 3, output: [.contains("items"), .matches("^[0-9]")], errors: [.equals("")])
        expected.known = [
            KnownFailure(
                rule: "V6C-001", target: "203.0.113.5", networks: [.nat64], reason: "the vendor's list",
                issue: "https://example.com/1", until: Day("2027-03-31")),
            KnownFailure(rule: "V6C-002", reason: "old", until: nil),
        ]
        expected.request.urlLoading = .apple
        expected.skip = "no licence"
        expected.group = "licence-server"
        expected.cpus = 4
        #expect(test == expected)
        #expect(suite.tests[1].request.getaddrinfo == .apple)
        #expect(suite.tests[1].request.urlLoading == .linux)
        #expect(suite.tests[1].request.caches == .avoid)
        #expect(suite.tests[1].failOn == .warning)
        #expect(suite.tests[1].isOffline && suite.tests[1].trace == .always)
        #expect(suite.cases.map(\.id) == ["fetch@nat64", "fetch@dual-stack", "other@nat64"])
        #expect(suite.name == "shop" && suite.world == "ci/world.yaml" && suite.baseline == "ci/baseline.txt")
        #expect(suite.groups == ["licence-server": 2])
    }

    @Test func `conditions and settings of the NAT64 that are none are mistakes`() {
        #expect(
            problems(
                """
                version: 1
                tests: [ { name: a, command: "true", conditions: [lte, ltee], nat64: forget=3s } ]
                """) == [
                    "2:50: no conditions ltee (did you mean lte?)",
                    "2:70: nat64: unknown setting forget (did you mean forgets?); there are forgets, icmp-query, tcp-established, tcp-transitory, udp, bindings-per-host, sessions-per-host, lowest-ipv6-mtu",
                ])
    }

    @Test func `all mistakes are told at once, each with its place`() {
        #expect(
            problems(
                """
                version: 1
                testz: []
                networks: [wifi]
                tests:
                  - name: fetch
                    comand: [x]
                    timeout: soon
                    expect: { exit: 300, stdout: { matches: "(" } }
                    known: [ { rule: V6C-003, reason: x } ]
                  - name: "a b"
                    command: []
                  - { command: x }
                """) == [
                    "2:1: unknown key \"testz\" (did you mean \"tests\"?)",
                    "3:12: a network must be one of nat64, nat64-no-dns64, nat64+clat, strict, strict-no-lo4, ipv4-only and dual-stack, not \"wifi\"",
                    "5:5: the command of the test is missing: write { name: fetch, command: [./shop, fetch] }",
                    "6:5: unknown key \"comand\" (did you mean \"command\"?)",
                    "7:14: timeout must be a time such as 90 (seconds), 1.5, 250ms, 5m or 2h, not \"soon\"",
                    "8:21: exit must be a number from 0 to 255, not \"300\"",
                    "8:45: matches must be a regular expression, such as '[0-9]+ items', not \"(\"",
                    "9:14: a known failure needs until: write { rule: V6C-001, target: 203.0.113.5, reason: why, until: 2027-03-31 }",
                    "10:11: the name of a test has up to 100 letters, digits, -, _, . and +, such as fetch-items, not \"a b\"",
                    "11:14: a command is a list of up to 10000 words, such as [./shop, fetch], or text for /bin/sh -c, not an empty list",
                    "12:5: the name of the test is missing: write { name: fetch, command: [./shop, fetch] }",
                ])
    }

    @Test func `what should fail has networks of the test and a reason`() throws {
        let suite = try suite(
            """
            version: 1
            tests: [{ name: a, command: x, networks: [nat64, strict], fails: { on: [strict], reason: r } }]
            """)
        #expect(suite.tests[0].fails == [ExpectedFailure(on: [NetworkSchedule(.strict)], reason: "r")])
        func problem(_ fails: String) -> String? {
            problems("version: 1\ntests: [{ name: a, command: x, networks: [nat64, dual-stack], fails: \(fails) }]")
                .first
        }
        #expect(problem("{ on: [nat64] }")?.contains("needs on and reason") == true)
        #expect(problem("{ on: [strict], reason: r }")?.contains("does not run on strict") == true)
        #expect(problem("{ on: [dual-stack], reason: r }")?.contains("is compared with dual-stack") == true)
    }

    @Test func `networks may follow each other, as text by itself or in quotes`() throws {
        let suite = try suite(
            """
            version: 1
            networks: dual-stack 5s, none 1s, nat64
            tests:
              - { name: a, command: x }
              - name: b
                command: x
                networks: [nat64, "dual-stack 5s,none 1000ms,nat64"]
                known: { rule: V6C-001, on: "dual-stack 5s, none 1s, nat64", reason: r, until: never }
            """)
        let schedule = try NetworkSchedule("dual-stack 5s, none 1s, nat64")
        #expect(suite.tests.map(\.networks) == [[schedule], [.nat64, schedule]])
        #expect(suite.tests[1].known[0].networks == [schedule])
    }

    @Test(arguments: [
        (#"[nat64, "none 1s, nat64", "none 1s,nat64"]"#, "none 1s, nat64 stands in the list already: keep one"),
        ("[dual-stack 5s, nat64]", "what the client comes to after it stands with it in quotes"),
        ("dual-stack 5s, nat65", #"did you mean "nat64"?"#),
        ("dual-stack, nat64", "how long is the client on dual-stack?"),
    ])
    func `networks that cannot follow each other are told`(written: String, expected: String) {
        let told = problems("version: 1\ntests:\n- name: a\n  command: x\n  networks: \(written)")
        #expect(told.count == 1 && told[0].contains(expected), "\(told)")
    }

    @Test func `networks that follow each other have a name that a folder can have`() throws {
        func schedule(_ changes: Int) -> String {
            String(repeating: "nat64 10ms, none 10ms, ", count: changes) + "nat64"
        }
        func file(_ changes: Int) -> String {
            "version: 1\ntests:\n- { name: a, command: x, networks: \"\(schedule(changes))\" }"
        }
        #expect(try suite(file(6)).cases.map(\.network.name.utf8.count) == [131])
        let told = problems(file(7))
        #expect(told.count == 1 && told[0].contains("150 octets at most, and these have 152"), "\(told)")
    }

    @Test func `a server under test stays where it is`() {
        let told = problems(
            "version: 1\ntests:\n- { name: a, server: x, probe: 80, networks: [\"none 1s, nat64\"] }")
        #expect(told.contains { $0.contains("a server under test is on one network all the time") }, "\(told)")
    }

    @Test func `an unknown network is told the ones that there are`() {
        #expect(
            problems("version: 1\ntests: [ { name: a, command: x, networks: [ipv4] } ]") == [
                "2:44: a network must be one of nat64, nat64-no-dns64, nat64+clat, strict, strict-no-lo4, ipv4-only and dual-stack, not \"ipv4\""
            ])
    }

    @Test(arguments: ["servers", "matrix", "lifecycle", "artifacts"])
    func `what is not supported is not ignored`(_ key: String) {
        let told = problems("version: 1\ntests:\n  - { name: a, command: x, \(key): y }")
        #expect(told.count == 1 && told[0].hasPrefix("3:28: unknown key \"\(key)\""))
    }

    @Test func `names are unique, since results are told apart by them`() {
        #expect(
            problems("version: 1\ntests:\n  - { name: a, command: x }\n  - { name: a, command: y }") == [
                "4:5: the name a is taken by the test in line 3: give each test its own"
            ])
    }

    @Test(arguments: [
        ("", "1:1: the file is empty: write version: 1, then tests"),
        ("version: 2", "1:10: this program reads version: 1, not \"2\""),
        ("version: 1", "1:1: there are no tests: write tests: [{ name: fetch, command: [./shop, fetch] }]"),
        (
            "version: 1\ntests: []",
            "2:8: tests must be a list, such as - { name: fetch, command: [./shop, fetch] }, not an empty list"
        ),
        ("version: 1\ntests: &a [*a]", "2:12: aliases (*name) are not part of a suite file: write the value out"),
        (
            "version: 1\ntests: [ { name: a, command: x, group: g } ]",
            "2:40: there are no groups: write groups: { licence-server: 1 } for the suite"
        ),
        (
            "version: 1\ntests: [ { name: a, command: x, known: { rule: V6C-001, reason: r, until: soon } } ]",
            "2:75: until must be a day such as 2027-03-31, or never, not \"soon\""
        ),
        (
            "version: 1\ntests: [ { name: a, command: x, known: { rule: V6C-001, reason: r, until: never, on: dual-stack } } ]",
            "2:86: the test does not run on dual-stack"
        ),
    ]) func `a file that describes no suite`(_ text: String, _ expected: String) {
        #expect(problems(text) == [expected])
    }

    @Test func `tries, and what is red`() throws {
        let suite = try suite(
            """
            version: 1
            defaults: { retries: 2, confirm: 0, leaks: fail, flaky: fail }
            tests:
              - { name: a, command: x }
              - { name: b, command: x, retries: 0, confirm: 3, leaks: pass, flaky: pass }
            """)
        #expect(suite.tests.map(\.retries) == [2, 0] && suite.tests.map(\.confirmations) == [0, 3])
        #expect(suite.tests.map(\.failsOnLeak) == [true, false] && suite.tests.map(\.failsIfFlaky) == [true, false])
        let wrong = problems(
            "version: 1\ntests:\n  - { name: a, command: x, retries: 11, confirm: -1, leaks: yes, flaky: fial }")
        #expect(wrong.count == 4)
    }
}
