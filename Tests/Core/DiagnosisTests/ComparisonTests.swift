// SPDX-License-Identifier: Apache-2.0
import Reports
import DNS64
import DNSWire
import EvidenceSupport
import Translation
import Diagnosis
import Evidence
import Testing
import Wire

/// A problem on both networks is not one of IPv6.
@Suite struct ComparisonTests {
    private let failed = ExitOutcome.exited(status: 1)

    @Test func `a client that may not open a raw socket anywhere is not said to ignore its IPv6 address`() {
        let questions = [
            question("shop.test", .a, [server.description]), question("shop.test", .aaaa, ["64:ff9b::c633:640a"]),
        ]
        let control = onDualStack(failed, questions: [question("shop.test", .a, [server.description])])
        let verdict = Verdict(run: here(questions: questions), control: control)
        #expect(verdict.judgement == .failsEverywhere)
        #expect(verdict.ids.isEmpty)
    }

    @Test func `a client that resolves and exits is not said to ignore its IPv6 address`() {
        let questions = [question("shop.test", .aaaa, ["64:ff9b::c633:640a"])]
        #expect(Verdict(run: here(questions: questions), control: onDualStack(questions: questions)).ids.isEmpty)
        // Without a control run, it is known by its name.
        let getent = Lookup(call: .getaddrinfo, node: "shop.test", program: "getent")
        let run = here(questions: questions, lookups: [getent])
        #expect(Verdict(run: run, control: nil, command: ["sh", "-c", "getent ahosts shop.test"]).ids.isEmpty)
        #expect(Verdict(run: here(questions: questions), control: nil, command: ["/usr/bin/dig"]).ids.isEmpty)
        #expect(Verdict(run: here(questions: questions), control: nil, command: ["./client"]).ids == ["V6C-003"])
    }

    @Test func `a literal that led to an error of the server's is a cause here, and not the one there`() {
        let verdict = Verdict(
            run: here(.exited(status: 7)), control: onDualStack(.exited(status: 22), flows: [direct()]))
        #expect(verdict.judgement == .failsEverywhere)
        #expect(verdict.ids == ["V6C-001"])
    }

    @Test(arguments: [
        (7, "FileNotFoundError: a", 7, "FileNotFoundError: a", true),
        (7, "FileNotFoundError: a", 8, "FileNotFoundError: a", false),
        (7, "OSError: a", 7, "KeyError: a", false),
    ])
    func `a literal is no cause where the client ends of the same error on dual-stack, which has the host`(
        _ line: Int, _ error: String, _ lineThere: Int, _ errorThere: String, _ isHarmless: Bool
    ) {
        func printed(_ message: String, _ line: Int) -> [PrintedError] {
            [PrintedError(message: message, frames: [StackFrame(function: "main", file: "a.py", line: line)])]
        }
        var (run, control) = (here(), onDualStack(failed, flows: [direct()]))
        (run.printedErrors, control.printedErrors) = (printed(error, line), printed(errorThere, lineThere))
        #expect(Verdict(run: run, control: control).ids == (isHarmless ? [] : ["V6C-001"]))
        control.end = .exited(status: 2)
        #expect(Verdict(run: run, control: control).ids == ["V6C-001"], "another exit code")
    }

    @Test func `nor where it ends itself in silence at the same line`() {
        func end(_ line: Int) -> CallEvidence {
            var calls = CallEvidence([], by: [TracedProgram(process: 10, executable: "/app/client")])
            calls.ends = [
                TracedEnd(
                    program: 0, outcome: failed, frames: [StackFrame(function: "main", file: "a.c", line: line)])
            ]
            return calls
        }
        var (run, control) = (here(), onDualStack(failed, flows: [direct()]))
        (run.calls, control.calls) = (end(9), end(9))
        #expect(Verdict(run: run, control: control).ids.isEmpty)
        control.calls = end(12)
        #expect(Verdict(run: run, control: control).ids == ["V6C-001"])
        control.calls = end(9)
        run.lastLines = [PrintedLine(text: "no server")]
        #expect(Verdict(run: run, control: control).ids == ["V6C-001"], "it says something that it does not say there")
    }

    @Test func `a literal that nobody answers on dual-stack either is no cause`() {
        let control = onDualStack(failed, flows: [direct(accepted: 0, refused: 1, bytesReceived: 0)])
        #expect(Verdict(run: here(), control: control).ids.isEmpty)
    }

    @Test func `a port that refuses on both networks is said to be met on both`() {
        let questions = [
            question("shop.test", .a, [server.description]), question("shop.test", .aaaa, ["64:ff9b::c633:640a"]),
        ]
        let run = here(questions: questions, flows: [translated(port: 81, accepted: 0, refused: 1, bytesReceived: 0)])
        let control = onDualStack(
            failed, questions: questions, flows: [direct(port: 81, accepted: 0, refused: 1, bytesReceived: 0)])
        let verdict = Verdict(run: run, control: control)
        #expect(verdict.ids.isEmpty)
        #expect(
            verdict.onBothNetworks.map { sentence($0.statement) } == [
                "shop.test, 64:ff9b::c633:640a (tcp 81) refused the connection."
            ])
        // Where it works on dual-stack all the same, the port is not what it needs.
        let passing = Verdict(run: run, control: onDualStack(questions: questions, flows: control.seen.flows))
        #expect(passing.ids.isEmpty && passing.onBothNetworks.isEmpty)
        // And one that refuses here alone is a cause.
        let accepted = onDualStack(questions: questions, flows: [direct(port: 81)])
        #expect(Verdict(run: run, control: accepted).ids == ["V6C-005"])
    }

    @Test func `a host that answers at one of its addresses is no host that does not answer`() {
        let questions = [question("two.test", .aaaa, ["64:ff9b::c633:640a", "64:ff9b::c633:640b"])]
        var dead = translated(accepted: 0, bytesReceived: 0)
        dead.remote = .ipv6(IPv6Address("64:ff9b::c633:640b")!)
        #expect(Verdict(run: here(questions: questions, flows: [dead, translated()]), control: nil).ids.isEmpty)
        #expect(Verdict(run: here(questions: questions, flows: [dead]), control: nil).ids == ["V6C-005"])
    }

    @Test func `names that the world does not have are said to be outside of it`() {
        let verdict = Verdict(
            run: here(questions: missing("github.com")), control: onDualStack(failed, questions: missing("github.com")))
        #expect(verdict.ids == ["V6C-010"])
        #expect(verdict.findings[0].observations.map(\.subject) == [.name("github.com")])
        #expect(verdict.findings[0].rule.severity == .note)
        #expect(verdict.onBothNetworks.isEmpty)
        let alone = RunEvidence(
            network: .dualStack, end: failed, duration: .zero, questions: missing("github.com"))
        #expect(Verdict(run: alone, control: nil).ids == ["V6C-010"])
    }

    @Test(
        arguments: [
            (["cargo", "test"], "cargo"), (["/usr/bin/npm", "ci"], "npm"),
            (["python3", "-m", "pip", "install", "x"], "pip"),
            (["sh", "-c", "cd x && swift build"], "swift"), (["./client"], nil), (["./client", "go"], nil),
        ] as [([String], String?)])
    func `a package manager is told to fetch before`(_ command: [String], _ manager: String?) {
        let verdict = Verdict(
            run: here(questions: missing("registry.example")),
            control: onDualStack(failed, questions: missing("registry.example")), command: command)
        let advice = verdict.findings.first?.advice ?? ""
        #expect(advice.contains("fetches packages: fetch and build first") == (manager != nil))
        if let manager { #expect(advice.contains(" \(manager) fetches packages")) }
    }

    @Test func `a name that does not exist on either network is no cause`() {
        let control = onDualStack(questions: missing("telemetry.example"), flows: [direct()])
        let verdict = Verdict(run: here(questions: missing("telemetry.example")), control: control)
        #expect(verdict.ids == ["V6C-001"])
        // A forwarder's answer is not the world file's fault.
        let forwarded = missing("nosuch.example", source: .forwarder(Endpoint("192.0.2.53", port: 53)))
        let both = Verdict(run: here(questions: forwarded), control: onDualStack(failed, questions: forwarded))
        #expect(both.ids.isEmpty && both.onBothNetworks.map { sentence($0.statement) } == ["nosuch.example: NXDOMAIN."])
    }

    @Test func `a name whose address is missing here alone is a cause`() {
        let control = onDualStack(questions: [question("shop.test", .a, [server.description])])
        #expect(Verdict(run: here(questions: missing("shop.test")), control: control).ids == ["V6C-007"])
    }

    @Test func `a name that a fault dropped is not said to have no address`() {
        let dropped = [RecordType.a, .aaaa].map { question("shop.test", $0, code: nil, faults: [.drop]) }
        #expect(Verdict(run: here(questions: dropped), control: nil).ids.isEmpty)
        // Nor is one that a fault denies said to be outside the world.
        let denied = missing("shop.test", faults: [.responseCode(.nameError)])
        #expect(Verdict(run: here(questions: denied), control: onDualStack(failed, questions: denied)).ids.isEmpty)
    }

    @Test func `a name that does not exist is not one of which AAAA was forgotten`() {
        let run = here(questions: [question("nosuch.test", .a, code: .nameError)])
        #expect(Verdict(run: run, control: nil).ids == ["V6C-007"])
    }

    @Test func `who asks for A alone, and fails on dual-stack before it is used, shows nothing`() {
        let questions = [question("shop.test", .a, [server.description])]
        let run = here(questions: questions)
        #expect(Verdict(run: run, control: onDualStack(failed, questions: questions)).ids.isEmpty)
        let used = onDualStack(failed, questions: questions, flows: [direct()])
        #expect(Verdict(run: run, control: used).ids == ["V6C-002"])
    }

    @Test func `a client that gets nowhere on dual-stack is not said to try nothing here`() {
        let control = onDualStack(failed, questions: [question("shop.test", .a, [server.description])])
        #expect(Verdict(run: here(), control: control).ids.isEmpty)
    }

    @Test func `a DNS64 that ignores AAAA is named where it hides a host's only address`() {
        let name: DomainName = "six.test"
        let there = onDualStack(questions: [
            question(name, .a), question(name, .aaaa, ["2e00:2:0:cafe::66"]),
        ])
        let hidden = Verdict(run: here(questions: [question(name, .a), question(name, .aaaa)]), control: there)
        #expect(hidden.ids == ["V6C-007"])
        #expect(
            hidden.findings[0].sentences[0].contains(
                "the DNS64 ignores AAAA records (profile apple-always, or ignore-aaaa)"))
        #expect(hidden.findings[0].advice.contains("leave out profile: apple-always"))
        // A name that has no address there either, and one that was not asked for its AAAA.
        let plain = Verdict(run: here(questions: [question("x.test", .a), question("x.test", .aaaa)]), control: there)
        let sentences: [String] = plain.findings.flatMap(\.sentences)
        #expect(!sentences.isEmpty && sentences.allSatisfy { !$0.contains("DNS64") })
    }

    @Test func `conditions that cut the network off are named in place of a host that does not answer`() {
        var run = here(flows: [translated(accepted: 0, bytesReceived: 0)])
        func sentences(_ written: [String], lost: UInt64) -> [String] {
            var counts = ConditionCounts()
            counts.lost = lost
            run.seen.conditions = ConditionEvidence(written: written, up: counts)
            return Verdict(run: run, control: nil).findings.flatMap(\.sentences)
        }
        #expect(sentences(["no-uplink"], lost: 3).contains { $0.contains("cut off by its conditions (no-uplink)") })
        #expect(sentences(["lte", "down=1s-2s"], lost: 3).contains { $0.contains("(down=1s-2s)") })
        #expect(sentences(["loss=3%"], lost: 3).contains { $0.hasSuffix("did not answer.") })
        #expect(sentences(["no-uplink"], lost: 0).contains { $0.hasSuffix("did not answer.") })
    }

    @Test func `an address of a record without a host is the world's affair`() {
        let told = question("gone.test", .aaaa, ["64:ff9b::c633:640a"])
        let flow = translated(accepted: 0, unreachable: .noRoute, bytesReceived: 0)
        let sentences: [String] = Verdict(run: here(questions: [told], flows: [flow]), control: nil).findings.flatMap(
            \.sentences)
        #expect(sentences.contains { $0.hasSuffix("the world has a record with this address, and no host.") })
        let other: [String] = Verdict(run: here(flows: [flow]), control: nil).findings.flatMap(\.sentences)
        #expect(other.contains { $0.hasSuffix("there is no route to it.") })
    }
}
