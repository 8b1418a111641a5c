import Diagnosis
import Evidence
import Testing
import Wire

/// What is seen on both networks is no problem of IPv6.
@Suite struct ComparisonTests {
    private let failed = ClientEnd.exited(status: 1)

    @Test func `a client that may not open a raw socket anywhere is not said to ignore its IPv6 address`() {
        let questions = [
            question("shop.test", "A", [server.description]), question("shop.test", "AAAA", ["64:ff9b::c633:640a"]),
        ]
        let control = onDualStack(failed, questions: [question("shop.test", "A", [server.description])])
        let verdict = Verdict(run: here(questions: questions), control: control)
        #expect(verdict.judgement == .failsEverywhere)
        #expect(verdict.ids.isEmpty)
    }

    @Test func `a client that resolves and exits is not said to ignore its IPv6 address`() {
        let questions = [question("shop.test", "AAAA", ["64:ff9b::c633:640a"])]
        #expect(Verdict(run: here(questions: questions), control: onDualStack(questions: questions)).ids.isEmpty)
        // Without a control run, it is known by its name.
        let getent = Lookup(call: "getaddrinfo", node: "shop.test", program: "getent")
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

    @Test func `a literal that nobody answers on dual-stack either is no cause`() {
        let control = onDualStack(failed, flows: [direct(accepted: 0, refused: 1, bytesReceived: 0)])
        #expect(Verdict(run: here(), control: control).ids.isEmpty)
    }

    @Test func `a port that refuses on both networks is said to be met on both`() {
        let questions = [
            question("shop.test", "A", [server.description]), question("shop.test", "AAAA", ["64:ff9b::c633:640a"]),
        ]
        let run = here(questions: questions, flows: [translated(port: 81, accepted: 0, refused: 1, bytesReceived: 0)])
        let control = onDualStack(
            failed, questions: questions, flows: [direct(port: 81, accepted: 0, refused: 1, bytesReceived: 0)])
        let verdict = Verdict(run: run, control: control)
        #expect(verdict.ids.isEmpty)
        #expect(verdict.onBothNetworks == ["shop.test, 64:ff9b::c633:640a (tcp 81) refused the connection."])
        // Where it works on dual-stack all the same, the port is not what it needs.
        let passing = Verdict(run: run, control: onDualStack(questions: questions, flows: control.flows))
        #expect(passing.ids.isEmpty && passing.onBothNetworks.isEmpty)
        // And one that refuses here alone is a cause.
        let accepted = onDualStack(questions: questions, flows: [direct(port: 81)])
        #expect(Verdict(run: run, control: accepted).ids == ["V6C-005"])
    }

    @Test func `a host that answers at one of its addresses is no host that does not answer`() {
        let questions = [question("two.test", "AAAA", ["64:ff9b::c633:640a", "64:ff9b::c633:640b"])]
        var dead = translated(accepted: 0, bytesReceived: 0)
        dead.remote = .ipv6(IPv6Address("64:ff9b::c633:640b")!)
        #expect(Verdict(run: here(questions: questions, flows: [dead, translated()]), control: nil).ids.isEmpty)
        #expect(Verdict(run: here(questions: questions, flows: [dead]), control: nil).ids == ["V6C-005"])
    }

    @Test func `names that the world does not have are said to be outside of it`() {
        let verdict = Verdict(
            run: here(questions: missing("github.com")), control: onDualStack(failed, questions: missing("github.com")))
        #expect(verdict.ids == ["V6C-010"])
        #expect(verdict.findings[0].subjects == ["github.com"])
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
        // Of a forwarder's answer, no world file is to blame.
        let forwarded = missing("nosuch.example", source: "forwarder 192.0.2.53:53")
        let both = Verdict(run: here(questions: forwarded), control: onDualStack(failed, questions: forwarded))
        #expect(both.ids.isEmpty && both.onBothNetworks == ["nosuch.example: NXDOMAIN."])
    }

    @Test func `a name whose address is missing here alone is a cause`() {
        let control = onDualStack(questions: [question("shop.test", "A", [server.description])])
        #expect(Verdict(run: here(questions: missing("shop.test")), control: control).ids == ["V6C-007"])
    }

    @Test func `a name that a fault dropped is not said to have no address`() {
        let dropped = ["A", "AAAA"].map { question("shop.test", $0, code: "none", faults: ["drop"]) }
        #expect(Verdict(run: here(questions: dropped), control: nil).ids.isEmpty)
        // Nor is one that a fault denies said to be outside the world.
        let denied = missing("shop.test", faults: ["NXDOMAIN"])
        #expect(Verdict(run: here(questions: denied), control: onDualStack(failed, questions: denied)).ids.isEmpty)
    }

    @Test func `a name that does not exist is not one of which AAAA was forgotten`() {
        let run = here(questions: [question("nosuch.test", "A", code: "NXDOMAIN")])
        #expect(Verdict(run: run, control: nil).ids == ["V6C-007"])
    }

    @Test func `who asks for A alone, and fails on dual-stack before it is used, shows nothing`() {
        let questions = [question("shop.test", "A", [server.description])]
        let run = here(questions: questions)
        #expect(Verdict(run: run, control: onDualStack(failed, questions: questions)).ids.isEmpty)
        let used = onDualStack(failed, questions: questions, flows: [direct()])
        #expect(Verdict(run: run, control: used).ids == ["V6C-002"])
    }

    @Test func `a client that gets nowhere on dual-stack is not said to try nothing here`() {
        let control = onDualStack(failed, questions: [question("shop.test", "A", [server.description])])
        #expect(Verdict(run: here(), control: control).ids.isEmpty)
    }
}
