// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import EvidenceSupport
import Translation
import Diagnosis
import Evidence
import Foundation
import Testing
import Wire

@testable import Reports

@Suite struct ReportTests {
    private static let server = IPv4Address(198, 51, 100, 10)
    private static let synthesised = IPv6Address("64:ff9b::c633:640a")!

    private static let passing = RunReport(

        of: ["curl", "-fsS", "http://shop.test/"], pref64: "64:ff9b::/96",
        judging: Runs(
            first: RunEvidence(
                network: .nat64, end: .exited(status: 0), duration: .milliseconds(21),
                questions: [
                    RepeatedQuery("shop.test", .a, ["198.51.100.10"], rule: .otherType),
                    RepeatedQuery(
                        "shop.test", .aaaa, ["64:ff9b::c633:640a"], from: [IPv4Address(198, 51, 100, 10)], rule: .noAAAA
                    ),
                ],
                flows: [
                    Flow(
                        .tcp, .ipv6(synthesised), 80, .translated(server), attempts: 1,
                        accepted: 1, bytesSent: 78, bytesReceived: 1_250_000)
                ])),
        notes: ["http_proxy was removed from the client's environment."])

    private static let literal = RunReport(

        of: ["curl", "http://198.51.100.10/a b"], pref64: "64:ff9b::/96",
        judging: Runs(
            first: RunEvidence(network: .nat64, end: .exited(status: 7), duration: .milliseconds(9)),
            control: RunEvidence(
                network: .dualStack, end: .exited(status: 0), duration: .milliseconds(12),
                flows: [
                    Flow(
                        .tcp, .ipv4(server), 80, .direct, attempts: 1, accepted: 1,
                        bytesSent: 78, bytesReceived: 250)
                ])))

    private static let manyQuestions = RunReport(

        of: ["./crawler"], pref64: "64:ff9b::/96",
        judging: Runs(
            first: RunEvidence(
                network: .nat64, end: .timedOut(after: .seconds(75)), duration: .seconds(75),
                questions: (1...10).map {
                    RepeatedQuery(
                        try! DomainName("host\($0).test"), .aaaa, code: .nameError, over: .tcp, rule: .nameError,
                        count: $0)
                },
                drops: [
                    Drop(
                        reason: .unsupportedTransport, count: 2,
                        example: "protocol 132, 2e00:2:0:1::2 → 64:ff9b::c633:640a, 52 octets")
                ],
                counters: [
                    NamedCount("received-from-ipv6", 2), NamedCount("emitted-to-ipv4", 0),
                ],
                lost: 3)),
        links: LinkConditions(clientMTU: 1280, worldMTU: 1500, faults: ["ipv6-black-hole=1260"]))

    private static let passingLiteral = RunReport(

        of: ["nc", "198.51.100.10", "80"], pref64: "64:ff9b::/96",
        judging: Runs(
            first: RunEvidence(
                network: .nat64, end: .exited(status: 0), duration: .milliseconds(21),
                flows: [
                    Flow(
                        .tcp, .ipv6(synthesised), 80, .translated(server), attempts: 1,
                        accepted: 1, bytesSent: 78, bytesReceived: 250)
                ],
                profile: .apple,
                lookups: [
                    Lookup(
                        call: .getaddrinfo, node: "198.51.100.10", service: "80",
                        hints: LookupHints(family: 0, socktype: 1, protocol: 0, flags: 0x20), result: 0,
                        answers: ["64:ff9b::c633:640a"], outcome: .literal, program: "nc.openbsd", module: "nc",
                        offset: 0x4a10, process: 812, count: 2),
                    Lookup(
                        call: .getaddrinfo, node: "198.51.100.11",
                        hints: LookupHints(family: 2, socktype: 0, protocol: 0, flags: 0x4), result: -9,
                        outcome: .family, program: "nc\u{1b}[31m", process: 813),
                    Lookup(
                        call: .inetAddr, node: "198.51.100.12", result: 1, answers: ["198.51.100.12"],
                        program: "nc.openbsd", module: "/usr/lib/libpeer.so.1", offset: 0x12, process: 812),
                    Lookup(call: .inetNtoa, node: "198.51.100.12", answers: ["198.51.100.12"], process: 812),
                    Lookup(
                        call: .getaddrinfo, node: "127.0.0.1", answers: ["127.0.0.1"], outcome: .excluded, process: 812
                    ),
                ])))

    @Test func `what is owed to literal synthesis is said`() throws {
        try expectGolden(render(Self.passingLiteral), "literal-synthesis.txt")
        try expectGolden(
            String(decoding: JSONReport(Self.passingLiteral, exitCode: 0).encoded(), as: UTF8.self),
            "literal-synthesis.json")
    }

    @Test func `what Apple's getaddrinfo does for a client that fails is said`() {
        var runs = failing().runs
        runs.add(
            RunEvidence(network: .nat64, end: .exited(status: 0), duration: .milliseconds(7)), as: .withSynthesis)
        let text = render(RunReport(of: ["nc"], pref64: "64:ff9b::/96", judging: runs))
        #expect(text.hasPrefix("ipv6check: FAIL"))
        #expect(text.contains("exit 0 after 0.01 s  with literal synthesis (--getaddrinfo apple)"))
        #expect(text.contains("note        It works on Apple's systems, by literal synthesis (--getaddrinfo apple)."))
    }

    @Test func `what is owed to URL loading is said`() throws {
        var run = RunEvidence(
            network: .nat64, end: .exited(status: 0), duration: .milliseconds(21),
            flows: Self.passingLiteral.run.seen.flows,
            lookups: [
                Lookup(
                    call: .connect, node: "198.51.100.10", service: "80", answers: ["64:ff9b::c633:640a"],
                    outcome: .literal, program: "shop", process: 812),
                Lookup(
                    call: .connect, node: "10.0.0.1", service: "80", outcome: .excluded, program: "shop", process: 812),
            ])
        run.urlLoading = .apple
        let report = RunReport(of: ["shop"], pref64: "64:ff9b::/96", judging: Runs(first: run))
        let text = render(report)
        #expect(text.hasPrefix("ipv6check: PASS by URL loading's synthesis  shop works on nat64 (V6C-084)"))
        #expect(text.contains("198.51.100.10 → 64:ff9b::c633:640a  connect by shop, process 812"))
        #expect(text.contains("10.0.0.1 → IPv4 (an address that is never synthesised)  connect by shop, process 812"))
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(JSONReport(report, exitCode: 0).encoded())) as? [String: Any])
        #expect((json["runs"] as? [[String: Any]])?.first?["urlLoading"] as? String == "apple")
        #expect(json["reliesOnSynthesis"] as? Bool == true)
    }

    @Test func `what a client started beyond the library's reach is said`() throws {
        var report = Self.passing
        #expect(render(report) == render(Self.passing))
        report.run.uncovered = ["a", "b", "c", "d", "e\u{1b}"].map {
            UncoveredProgram(path: "/opt/\($0)", obstacle: .staticallyLinked)
        }
        report.run.uncovered.append(UncoveredProgram(path: "/opt/go", obstacle: .goProgram))
        let notes = render(report).split(separator: "\n").filter { $0.hasPrefix("  note") }.dropFirst()
        #expect(notes.count == 2)
        #expect(
            notes.first?.hasPrefix(
                "  note        No literal synthesis for /opt/a, which the client started: it is statically linked, so")
                == true)
        #expect(notes.first?.hasSuffix(" The same goes for /opt/b, /opt/c, /opt/d and 1 more.") == true)
        #expect(notes.last?.contains("/opt/go, which the client started: it is a Go program") == true)
        let json = try String(decoding: JSONReport(report, exitCode: 0).encoded(), as: UTF8.self)
        #expect(json.contains("\"obstacle\" : \"go\",\n          \"program\" : \"/opt/go\""))
    }

    @Test func `on a terminal lines are broken between words`() throws {
        func render(_ report: RunReport, width: Int?, coloured: Bool = false) -> String {
            let style = TerminalStyle(isColoured: coloured, width: width)
            return TerminalReport.render(report, style: style, verbose: false)
        }
        try expectGolden(render(Self.passingLiteral, width: 80), "literal-synthesis-80-columns.txt")
        for report in [Self.passing, Self.literal, Self.passingLiteral, Self.manyQuestions] {
            let whole = render(report, width: nil)
            for width in [28, 60, 80, 133] {
                let lines = render(report, width: width).split(separator: "\n")
                // A line may be longer only by its first word, which nothing can break.
                #expect(lines.allSatisfy { $0.count <= width || !$0.dropFirst(14).contains(" ") })
                #expect(lines.joined(separator: " ").split(separator: " ") == whole.split { $0 == " " || $0 == "\n" })
                let visible = render(report, width: width, coloured: true).replacing(/\u{1b}\[[0-9;]*m/, with: "")
                #expect(visible == render(report, width: width))
            }
            #expect(render(report, width: 1000) == whole)
            #expect(render(report, width: 20) == whole)
        }
    }

    @Test func `a shell is told what was changed`() {
        let notes = ["http_proxy was removed.", "No literal synthesis."]
        #expect(
            TerminalReport.notes(notes, style: TerminalStyle(isColoured: false))
                == "  note        http_proxy was removed.\n  note        No literal synthesis.\n")
        #expect(TerminalReport.notes([], style: TerminalStyle(isColoured: false)).isEmpty)
    }

    @Test func `a pass is said with its evidence`() throws {
        try expectGolden(render(Self.passing), "pass.txt")
    }

    @Test func `a literal is explained`() throws {
        try expectGolden(render(Self.literal), "literal.txt")
    }

    private func failing(
        _ end: ExitOutcome = .exited(status: 1), _ command: [String] = ["./client"], names: [String] = [],
        controlFlows: [Flow] = []
    ) -> RunReport {
        let questions = names.map {
            RepeatedQuery(try! DomainName($0), .aaaa, code: .nameError, rule: .nameError)
        }
        return RunReport(
            command: command, pref64: "64:ff9b::/96",
            run: RunEvidence(network: .nat64, end: end, duration: .milliseconds(9), questions: questions),
            control: RunEvidence(
                network: .dualStack, end: end, duration: .milliseconds(9), questions: questions, flows: controlFlows))
    }

    @Test func `a client that fails on both networks is told what it lacks there`() throws {
        let style = TerminalStyle(isColoured: false)
        try expectGolden(render(failing(names: ["github.com", "a.example", "b.example"])), "outside-world.txt")
        try expectGolden(
            render(failing(.exited(status: 101), ["cargo", "test"], names: ["index.crates.io"])), "package-manager.txt")
        let one = TerminalReport.headline(failing(names: ["github.com"]), style: style)
        #expect(
            one.hasSuffix(
                "it asks for github.com, which the simulated world does not have (--uplink host: the real one)"))
        let two = TerminalReport.headline(failing(names: ["a.example", "b.example"]), style: style)
        #expect(two.contains("a.example and b.example, which"))
        #expect(TerminalReport.headline(failing(), style: style).hasSuffix("on dual-stack too: no IPv6 problem shown"))
    }

    @Test(
        arguments: [
            (11, "crashed with SIGSEGV on both networks"), (6, "crashed with SIGABRT on both networks"),
            (9, "was killed by SIGKILL on both networks"),
        ] as [(Int32, String)])
    func `a client that dies on both networks is said to`(_ signal: Int32, _ sentence: String) {
        let headline = TerminalReport.headline(
            failing(.killed(signal: signal)), style: TerminalStyle(isColoured: false))
        #expect(headline.hasSuffix(sentence))
    }

    @Test func `a cause that holds here alone is not contradicted by the headline`() {
        let flow = Flow(.tcp, .ipv4(Self.server), 80, .direct, attempts: 1, accepted: 1)
        let text = render(failing(controlFlows: [flow]))
        #expect(
            text.contains("fails on nat64; also fails on dual-stack, for a different reason\n  why         V6C-001"))
    }

    @Test func `what was met on both networks is shown as that`() throws {
        let refused = Flow(
            .udp, .ipv6(Self.synthesised), 9, .translated(Self.server), refused: 1,
            unreachable: .port, bytesSent: 8)
        let report = RunReport(
            command: ["./client"], pref64: "64:ff9b::/96",
            run: RunEvidence(
                network: .nat64, end: .exited(status: 1), duration: .milliseconds(9), flows: [refused]),
            control: RunEvidence(
                network: .dualStack, end: .exited(status: 1), duration: .milliseconds(9), flows: [refused]))
        try expectGolden(render(report), "both-networks.txt")
        try expectGolden(
            String(decoding: JSONReport(report, exitCode: 3).encoded(), as: UTF8.self), "both-networks.json")
    }

    @Test func `what the simulator had no room for is said, and nobody is blamed`() throws {
        var run = RunEvidence(network: .nat64, end: .exited(status: 7), duration: .seconds(3))
        run.seen.refusals = [
            WorldRefusal(.connectionRefused, .tcp, "198.51.100.10", port: 80, count: 577, first: .milliseconds(320)),
            WorldRefusal(.connectionTaken, .tcp, "198.51.100.10", port: 443, first: .milliseconds(900)),
            WorldRefusal(.queryRefused, .udp, "2e00:2:0:1::1", port: 53, count: 2),
        ]
        run.seen.drops = [Drop(reason: .queueFull, count: 4, example: "IPv6 a > b")]
        run.seen.lost = LostObservations(queries: 63_211, flows: 12, path: true)
        run.lostLookups = 1
        let report = RunReport(command: ["./client"], pref64: "64:ff9b::/96", run: run, control: nil)
        try expectGolden(render(report), "not-judged.txt")
        try expectGolden(
            String(decoding: JSONReport(report, exitCode: 5).encoded(), as: UTF8.self), "not-judged.json")
    }

    @Test func `a service that could not be started is said`() throws {
        var run = RunEvidence(network: .nat64, end: .exited(status: 7), duration: .seconds(3))
        run.seen.refusals = [
            WorldRefusal(.serviceFailed, .tcp, "198.51.100.10", port: 443, first: .milliseconds(320))
        ]
        let text = render(RunReport(command: ["./client"], pref64: "64:ff9b::/96", run: run, control: nil))
        #expect(
            text.split(separator: "\n").joined(separator: " ").contains(
                "198.51.100.10 (tcp 443) was not served, from 0.32 s on: its server could not be started (service-failed)"
            ))
    }

    @Test func `a program of the world that comes from no host's address is told`() {
        var run = RunEvidence(network: .nat64, end: .exited(status: 0), duration: .seconds(3))
        func text(from address: IPAddress) -> String {
            run.seen.flows = [Flow(.tcp, address, 38_848, .direct, isInbound: true, bytesReceived: 10)]
            return render(RunReport(command: ["./client"], pref64: "64:ff9b::/96", run: run, control: nil))
        }
        #expect(text(from: "2e00:2:0:1::1").contains("connected to the client from 2e00:2:0:1::1, its own address"))
        #expect(!text(from: "2e00:2:0:cafe::20").contains("its own address"))
    }

    @Test func `an alias is no record of another type`() {
        var run = RunEvidence(network: .nat64, end: .exited(status: 0), duration: .zero)
        run.seen.questions = [RepeatedQuery("www.shop.test", .mx, ["CNAME shop.test."])]
        let text = render(RunReport(command: ["dig"], pref64: nil, run: run, control: nil))
        #expect(text.contains("www.shop.test MX → alias of shop.test.; no such record"))
    }

    @Test func `a setting of the NAT64 stands where there is a NAT64, in a failing run too`() throws {
        var links = LinkConditions()
        links.nat64 = ["nat64 udp=60s"]
        let run = { RunEvidence(network: $0, end: .exited(status: 1), duration: .seconds(3)) }
        let report = RunReport(
            of: ["./client"], pref64: "64:ff9b::/96",
            judging: Runs(first: run(.nat64), again: run(.nat64), control: run(.dualStack)), links: links)
        let rows = render(report).split(separator: "\n").filter { $0.contains("exit 1 after") }
        #expect(rows.map { $0.contains("nat64 udp=60s") } == [true, false, false])
        let json = try JSONSerialization.jsonObject(with: JSONReport(report, exitCode: 1).encoded()) as? [String: Any]
        let conditions = try #require(json?["links"] as? [String: Any])
        #expect(conditions["faults"] as? [String] == ["nat64 udp=60s"])
    }

    @Test func `a report has four megabytes at most, and says what it leaves out`() throws {
        var run = RunEvidence(network: .nat64, end: .exited(status: 1), duration: .seconds(3))
        let name = (0..<4).map { _ in String(repeating: "n", count: 50) }.joined(separator: ".")
        run.seen.questions = (0..<2000).map { number in
            RepeatedQuery(try! DomainName("n\(number).\(name).test"), code: .nameError, rule: .nameError)
        }
        run.seen.queries = QueryExcerpt(run.seen.questions.map(\.first), omitted: 61_211)
        run.seen.flows = (0..<2048).map { Flow(.udp, .ipv6(Self.synthesised), UInt16($0), .direct, refused: 1) }
        run.seen.lost = LostObservations(queries: 61_211)
        let report = RunReport(command: ["./client"], pref64: nil, run: run, control: run)
        let text = try JSONReport(report, exitCode: 1).encoded()
        #expect(text.count <= 4_000_000 && text.count > 1_000_000)
        let json = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
        for one in try #require(json["runs"] as? [[String: Any]]) {
            func count(_ key: String) -> Int { (one[key] as? [Any])?.count ?? 0 }
            let leftOut = try #require(one["leftOut"] as? [String: Int])
            #expect(count("queries") + (leftOut["queries"] ?? 0) == 63_211)
            #expect(count("dns") + (leftOut["dns"] ?? 0) == 63_211)
            #expect(count("flows") + (leftOut["flows"] ?? 0) == 2048)
        }
    }

    @Test func `long evidence is cut unless verbose`() throws {
        try expectGolden(render(Self.manyQuestions), "many.txt")
        try expectGolden(
            TerminalReport.render(Self.manyQuestions, style: TerminalStyle(isColoured: false), verbose: true),
            "many-verbose.txt")
    }

    @Test func `every query is shown to who wants all`() throws {
        var report = Self.passing
        report.run.seen.questions[1].first.faults = [.delay(.milliseconds(300))]
        report.run.seen.queries = QueryExcerpt(DNSLogTextTests.queries, omitted: 2)
        let style = TerminalStyle(isColoured: false)
        try expectGolden(TerminalReport.render(report, style: style, verbose: true), "queries-verbose.txt")
        #expect(!render(report).contains("dns log"), "nobody else is bothered")
        #expect(render(report).contains("fault: delay 300ms"), "but what was done on purpose is always said")
        try expectGolden(String(decoding: JSONReport(report, exitCode: 0).encoded(), as: UTF8.self), "queries.json")
    }

    @Test func `colours are for terminals`() throws {
        let coloured = TerminalReport.render(Self.passing, style: TerminalStyle(isColoured: true), verbose: false)
        try expectGolden(coloured, "pass-coloured.txt")
        #expect(!render(Self.passing).contains("\u{1b}"))
    }

    @Test func `programs get JSON`() throws {
        try expectGolden(
            String(decoding: JSONReport(Self.literal, exitCode: 1).encoded(), as: UTF8.self), "literal.json")
        try expectGolden(
            String(decoding: JSONReport(Self.manyQuestions, exitCode: 124).encoded(), as: UTF8.self), "many.json")
    }

    @Test(
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1234, "1.23 kB"), (99_949, "99.9 kB"), (99_950, "100 kB"),
            (999_499, "999 kB"), (999_500, "1.0 MB"), (1_073_741_824, "1.07 GB"), (UInt64.max, "18.4 EB"),
        ] as [(UInt64, String)])
    func `counts of octets have three digits`(_ count: UInt64, _ text: String) {
        #expect(octets(count) == text)
    }

    @Test(arguments: [
        (0, "0.00 s"), (4, "0.00 s"), (5, "0.01 s"), (1999, "2.00 s"), (59_999, "60.00 s"), (60_000, "60 s"),
    ])
    func `durations are short`(_ milliseconds: Int, _ text: String) {
        #expect(seconds(.milliseconds(milliseconds)) == text)
    }

    @Test func `a command can be pasted into a shell`() {
        #expect(shellQuoted(["sh", "-c", "echo 'a b' $x", ""]) == #"sh -c 'echo '\''a b'\'' $x' ''"#)
    }

    @Test func `a long command is cut in the headline`() {
        #expect(abbreviated(["sh", "-c", "a\nb"]) == "sh -c 'a ⏎ b'")
        #expect(abbreviated([String(repeating: "x", count: 200)]).count == 80)
    }

    private func render(_ report: RunReport) -> String {
        TerminalReport.render(report, style: TerminalStyle(isColoured: false), verbose: false)
    }
}
