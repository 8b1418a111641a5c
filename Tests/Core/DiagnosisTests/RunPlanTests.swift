// SPDX-License-Identifier: Apache-2.0
import DNSWire
import EvidenceSupport
import Diagnosis
import Evidence
import Testing
import Topology
import Wire

@Suite struct `The runs of a check` {
    private let pass = ExitOutcome.exited(status: 0)
    private let failure = ExitOutcome.exited(status: 7)
    private let sent = [
        RepeatedQuery("shop.test")
    ]

    private func plan(_ control: ControlPolicy = .onFailure, on network: Network = .nat64) -> RunPlan {
        RunPlan(network: network, control: control)
    }

    private func run(
        _ end: ExitOutcome, on network: Network = .nat64, profile: GetaddrinfoProfile = .linux, silent: Bool = false
    ) -> RunEvidence {
        RunEvidence(
            network: network, end: end, duration: .zero, questions: silent ? [] : sent, profile: profile)
    }

    @Test func `are one where the client passes`() {
        #expect(plan().next(after: Runs(first: run(pass)), inputIsReplayed: true) == nil)
    }

    @Test func `compare with dual-stack where the client passes and leaves a host out that it looked up`() {
        var first = run(pass)
        first.seen.questions = [RepeatedQuery("metrics.test", .a, ["198.51.100.35"])]
        #expect(plan().next(after: Runs(first: first)) == .again && plan().traces(.again, after: Runs(first: first)))
        #expect(plan().next(after: traced(first)) == .control)
        var changed = Runs(first: first)
        var failing = run(failure)
        failing.calls = CallEvidence()
        changed.add(failing, as: .again)
        #expect(plan().next(after: changed) == nil, "it cannot be repeated")
        #expect(plan(.never).next(after: Runs(first: first)) == nil)
        #expect(plan().next(after: Runs(first: first), inputIsReplayed: false) == nil)
        #expect(plan().next(after: Runs(first: first, control: run(pass, on: .dualStack))) == nil)
        var once = plan()
        once.isOnce = true
        #expect(once.next(after: Runs(first: first)) == nil)
        var real = plan()
        real.comparesPasses = false
        #expect(real.next(after: Runs(first: first)) == nil, "it works on a real network")
        var other = first
        other.seen.flows = [Flow(.udp, "64:ff9b::c633:6423", 8125, .translated(IPv4Address("198.51.100.35")!))]
        #expect(plan().next(after: Runs(first: other)) == nil, "it was sent something")
        other = first
        other.duration = .seconds(30)
        #expect(plan().next(after: Runs(first: other)) == nil, "another one would take too long")
        other = first
        other.isProbed = true
        #expect(plan().next(after: Runs(first: other)) == nil, "it is a server under test")
        other = run(pass)
        other.seen.flows = [Flow(.tcp, "64:ff9b::c633:640a", 80, .direct, attempts: 1, accepted: 1, bytesReceived: 9)]
        other.seen.questions = []
        other.lookups = [Self.unasked]
        #expect(plan().next(after: traced(other)) == .control, "AI_ADDRCONFIG left the question out")
    }

    /// With a second run, traced, that is like the first.
    private func traced(_ first: RunEvidence) -> Runs {
        var runs = Runs(first: first)
        var again = first
        again.calls = CallEvidence()
        runs.add(again, as: .again)
        return runs
    }

    /// getaddrinfo with AF_INET and AI_ADDRCONFIG.
    private static let unasked = Lookup(
        call: .getaddrinfo, node: "metrics.test",
        hints: LookupHints(family: LookupHints.ipv4, socktype: 1, protocol: 0, flags: LookupHints.addressConfigured),
        result: -2)

    @Test(arguments: [ExitOutcome.exited(status: 7), .killed(signal: 11), .timedOut(after: .seconds(1))])
    func `go on with the same once more where it fails, and only then with the control run`(_ end: ExitOutcome) {
        var runs = Runs(first: run(end))
        #expect(plan().next(after: runs, inputIsReplayed: true) == .again)
        runs.add(run(failure), as: .again)
        #expect(plan().next(after: runs, inputIsReplayed: true) == .control)
        runs.control = run(failure, on: .dualStack)
        #expect(plan().next(after: runs, inputIsReplayed: true) == nil)
    }

    @Test func `go on here once more where dual-stack passes and no cause is known`() {
        var runs = Runs(first: run(failure), again: run(failure), control: run(pass, on: .dualStack))
        #expect(plan().next(after: runs) == .later)
        runs.later = run(failure)
        #expect(plan().next(after: runs) == nil)
    }

    @Test func `end after dual-stack where a cause is known`() {
        var control = run(pass, on: .dualStack)
        control.seen.flows = [Flow(.tcp, "198.51.100.99", 80, .direct, attempts: 1, accepted: 1, bytesReceived: 9)]
        #expect(plan().next(after: Runs(first: run(failure), again: run(failure), control: control)) == nil)
    }

    @Test func `go on here once more where a pass took much longer than on dual-stack`() {
        var slow = run(pass)
        slow.duration = .seconds(3)
        var runs = Runs(first: slow, control: run(pass, on: .dualStack))
        #expect(plan(.always).next(after: runs) == .later)
        #expect(plan(.always).next(after: runs, inputIsReplayed: false) == nil)
        runs.later = slow
        #expect(plan(.always).next(after: runs) == nil)
        slow.duration = .milliseconds(900)
        #expect(plan(.always).next(after: Runs(first: slow, control: run(pass, on: .dualStack))) == nil)
    }

    @Test func `go on where only symptoms are known: a host that was not ready looks the same`() {
        var refused = run(failure)
        refused.seen.flows = [Flow(.tcp, "64:ff9b::c633:640a", 80, .direct, attempts: 1, refused: 1)]
        let runs = Runs(first: refused, again: refused, control: run(pass, on: .dualStack))
        #expect(Verdict(runs).findings.map(\.rule.id) == ["V6C-005"])
        #expect(plan().next(after: runs) == .later)
    }

    @Test(arguments: 0..<2) func `have no fourth where a time limit ended one of them`(_ late: Int) {
        let ends = [failure, failure].enumerated().map { $0 == late ? ExitOutcome.timedOut(after: .seconds(1)) : $1 }
        let runs = Runs(first: run(ends[0]), again: run(ends[1]), control: run(pass, on: .dualStack))
        #expect(plan().next(after: runs) == nil)
    }

    // MARK: - Tracing

    private func traced(_ end: ExitOutcome, on network: Network = .nat64, isTracer: Bool = false) -> RunEvidence {
        var run = run(end, on: network)
        run.calls = CallEvidence()
        run.calls?.hasRivalTracer = isTracer
        return run
    }

    private func runs(_ first: RunEvidence, _ more: (RunPlan.Step, RunEvidence)...) -> Runs {
        var runs = Runs(first: first)
        for (step, run) in more { runs.add(run, as: step) }
        return runs
    }

    @Test func `are traced from the second on, and the last one never`() {
        var runs = Runs(first: run(failure))
        #expect(plan().traces(.again, after: runs))
        runs.add(traced(failure), as: .again)
        #expect(plan().traces(.control, after: runs))
        #expect(!plan().traces(.later, after: runs))
    }

    // MARK: - A pass with something by IPv4 that was not seen

    private func hiding(unrouted: Int, _ sockets: UnconnectedSockets? = nil) -> RunEvidence {
        var run = run(pass)
        run.counters = NamespaceCounters(unroutedIPv4: unrouted)
        run.unconnected = sockets
        return run
    }

    @Test(
        arguments: [
            (1, nil), (0, UnconnectedSockets(datagrams: 1)), (0, UnconnectedSockets(bound: 1)),
        ] as [(Int, UnconnectedSockets?)])
    func `explain such a pass by a traced run`(_ unrouted: Int, _ sockets: UnconnectedSockets?) {
        var runs = Runs(first: hiding(unrouted: unrouted, sockets))
        #expect(plan().next(after: runs) == .again)
        #expect(plan().traces(.again, after: runs))
        var explaining = hiding(unrouted: unrouted, sockets)
        explaining.calls = CallEvidence()
        runs.add(explaining, as: .again)
        #expect(plan().next(after: runs) == nil && runs.explainsPass)
        #expect(Verdict(runs).judgement == .passes)
    }

    @Test func `look by a trace why a pass looked a host up for more than it reached`() {
        let asked = question("metrics.test", .aaaa, ["64:ff9b::c633:6414"])
        let web = Flow(
            .tcp, "64:ff9b::c633:6414", 443, .translated(IPv4Address(198, 51, 100, 20)), attempts: 1, accepted: 1)
        func next(_ lookups: (service: String?, count: Int)...) -> RunPlan.Step? {
            var run = RunEvidence(
                network: .nat64, end: pass, duration: .zero, questions: [asked], flows: [web], profile: .linux,
                lookups: lookups.map { service, count in
                    Lookup(
                        call: .getaddrinfo, node: "metrics.test", service: service, answers: ["64:ff9b::c633:6414"],
                        count: count)
                })
            run.counters = NamespaceCounters()
            return plan().next(after: Runs(first: run))
        }
        #expect(next(("443", 1)) == nil && next((nil, 1)) == nil)
        #expect(next(("443", 1), ("8125", 1)) == .again)
        #expect(next((nil, 2)) == .again)
    }

    @Test func `look by a trace why a short pass used no network, and then whether dual-stack makes a difference`() {
        var silent = run(pass, silent: true)
        silent.counters = NamespaceCounters()
        var runs = Runs(first: silent)
        #expect(plan().next(after: runs) == .again && plan().traces(.again, after: runs))
        var long = silent
        long.duration = .seconds(5)
        #expect(plan().next(after: Runs(first: long)) == nil)
        #expect(plan().openQuestion(after: Runs(first: long)) == nil, "it may use no network")
        long.listsAddresses = true
        #expect(
            plan().openQuestion(after: Runs(first: long))?.hasPrefix("It looked at the machine's addresses") == true)
        #expect(plan(.always).openQuestion(after: Runs(first: long)) == nil)
        long.duration = .seconds(1)
        #expect(plan().openQuestion(after: Runs(first: long)) == nil)
        #expect(
            plan().openQuestion(after: Runs(first: long), inputIsReplayed: false)?.contains("cannot be read twice")
                == true)
        #expect(plan().openQuestion(after: Runs(first: silent), inputIsReplayed: false) == nil)
        var ofSuite = plan()
        ofSuite.seeksWhatIsLeftOut = false
        #expect(ofSuite.next(after: runs) == nil)
        silent.calls = CallEvidence()
        runs.add(silent, as: .again)
        #expect(plan().next(after: runs) == nil, "it asked for nothing")
        runs.again?.calls = CallEvidence([TracedCall(.sendto, .netlink(type: 22, family: 0), .succeeded(20))])
        #expect(plan().next(after: runs) == .control)
        runs.control = run(failure, on: .dualStack, silent: true)
        #expect(Verdict(runs).judgement == .passesHereOnly, "it is not a cache that makes it pass")
        runs.control = nil
        runs.add(silent, as: .control)
        #expect(Verdict(runs).findings.map(\.rule) == [.sendsNothing])
        runs.control = run(pass, on: .dualStack)
        runs.control?.seen.flows = [
            Flow(.tcp, "198.51.100.10", 80, .direct, attempts: 1, accepted: 1, bytesReceived: 9)
        ]
        #expect(Set(Verdict(runs).findings.map(\.rule)) == [.looksForIPv4Interface])
    }

    @Test func `compare with dual-stack where the client passes and read an IPv6 address as an IPv4 one`() {
        var first = run(pass)
        #expect(plan().next(after: Runs(first: first)) == nil)
        first.lookups = [Lookup(call: .inetPton, node: "2e00::1")]
        #expect(plan().next(after: Runs(first: first)) == .again)
        first.duration = .seconds(6)
        #expect(plan().next(after: Runs(first: first)) == .control, "a trace takes long")
        #expect(plan().openQuestion(after: Runs(first: first)) == nil)
        first.duration = .seconds(10)
        #expect(plan().next(after: Runs(first: first)) == nil)
        #expect(plan().openQuestion(after: Runs(first: first))?.hasPrefix("It read an IPv6 address as") == true)
        first.lookups += [Lookup(call: .inetPton, node: "2e00::1", result: 1)]
        #expect(plan().openQuestion(after: Runs(first: first)) == nil, "it then read it as what it is")
    }

    @Test func `compare with dual-stack where the client passes and listed the machine's addresses`() {
        var first = run(pass)
        first.counters = NamespaceCounters(unroutedIPv4: 0)
        first.seen.flows = [Flow(.tcp, "64:ff9b::c633:640a", 80, .direct, attempts: 1, accepted: 1, bytesReceived: 9)]
        first.seen.questions = []
        #expect(plan().next(after: Runs(first: first)) == nil)
        first.listsAddresses = true
        var runs = traced(first)
        #expect(plan().next(after: Runs(first: first)) == .again && plan().next(after: runs) == nil)
        runs.again?.calls = CallEvidence([TracedCall(.sendto, .netlink(type: 22, family: 0), .succeeded(20))])
        #expect(plan().next(after: runs) == .control)
        runs.control = run(pass, on: .dualStack)
        runs.control?.seen.flows =
            first.seen.flows + [Flow(.tcp, "203.0.113.5", 443, .direct, attempts: 1, accepted: 1, bytesReceived: 9)]
        #expect(Verdict(runs).findings.map(\.rule) == [.looksForIPv4Interface])
        runs.control?.seen.flows = first.seen.flows
        #expect(Verdict(runs).findings.isEmpty)
    }

    @Test func `do not explain a pass by a run in which nothing by IPv4 happened`() {
        var runs = Runs(first: hiding(unrouted: 1))
        #expect(Verdict(runs).findings.map(\.rule.id) == ["V6C-024"])
        var other = hiding(unrouted: 0)
        other.calls = CallEvidence()
        runs.add(other, as: .again)
        #expect(!runs.explainsPass && Verdict(runs).findings.map(\.rule.id) == ["V6C-024"])
    }

    @Test func `take an unused TCP socket for a failed connection where one was tried`() {
        var first = hiding(unrouted: 1, UnconnectedSockets(streams: 1))
        #expect(plan().next(after: Runs(first: first)) == .again)
        // getaddrinfo compares the addresses of a name.
        first.seen =
            RunEvidence(
                network: .nat64, end: pass, duration: .zero,
                questions: [
                    RepeatedQuery("shop.test", .a, ["198.51.100.10"]),
                    RepeatedQuery("shop.test", .aaaa, ["64:ff9b::c633:640a"]),
                ], flows: [Flow(.tcp, "64:ff9b::c633:640a", 80, .direct, attempts: 1, accepted: 1, bytesReceived: 9)]
            ).seen
        #expect(plan().next(after: Runs(first: first)) == .again)
        first.unconnected = UnconnectedSockets()
        #expect(plan().next(after: Runs(first: first)) == nil)
        first.unconnected = UnconnectedSockets(streams: 1)
        first.counters = NamespaceCounters()
        #expect(plan().next(after: Runs(first: first)) == nil)
    }

    @Test func `leave a pass alone where a second run costs too much, or may do harm`() {
        let hiding = hiding(unrouted: 0, UnconnectedSockets(bound: 1))
        let runs = Runs(first: hiding)
        #expect(plan().next(after: runs, inputIsReplayed: false) == nil)
        for policy in [TracePolicy.never, .always] {
            var plan = plan()
            plan.trace = policy
            #expect(plan.next(after: runs) == nil)
        }
        var real = plan()
        real.comparesPasses = false
        #expect(real.next(after: runs) == nil)
        var long = hiding
        long.duration = .seconds(10)
        var probed = hiding
        probed.isProbed = true
        var elsewhere = hiding
        elsewhere.network = .dualStack
        for run in [long, probed, elsewhere] { #expect(plan().next(after: Runs(first: run)) == nil) }
    }

    @Test func `keep a pass that a tracer changes`() {
        var runs = Runs(first: hiding(unrouted: 0, UnconnectedSockets(bound: 1)))
        runs.add(traced(failure), as: .again)
        #expect(runs.again == nil && runs.setAside.count == 1 && plan().next(after: runs) == nil)
        #expect(Verdict(runs).judgement == .passes)
    }

    @Test func `leave the control run alone where tracing changed how the client ends`() {
        let changed = runs(run(failure), (.again, traced(.exited(status: 23))))
        #expect(plan().next(after: changed) == .control)
        #expect(!plan().traces(.control, after: changed))
    }

    @Test func `repeat a traced control run that ends in a way of its own, untraced`() {
        var changed = runs(
            run(failure), (.again, traced(failure)), (.control, traced(.exited(status: 23), on: .dualStack)))
        #expect(changed.control == nil)
        #expect(plan().next(after: changed) == .control)
        #expect(!plan().traces(.control, after: changed))
        changed.add(run(pass, on: .dualStack), as: .control)
        #expect(Verdict(changed).judgement == .failsHere)
        #expect(changed.all.count == 4)
        #expect(plan().next(after: changed) == nil, "four are enough")
    }

    @Test func `keep the traced one of two control runs that fail alike`() {
        var there = traced(failure, on: .dualStack)
        there.seen.flows = [Flow(.tcp, "198.51.100.10", 80, .direct, attempts: 1, accepted: 1, bytesReceived: 9)]
        var broken = runs(run(failure), (.again, traced(failure)), (.control, there))
        #expect(plan().next(after: broken) == .control)
        broken.add(run(failure, on: .dualStack), as: .control)
        #expect(broken.control == there && broken.setAside.isEmpty)
        #expect(Verdict(broken).judgement == .failsEverywhere)
        #expect(plan().next(after: broken) == nil)
    }

    @Test func `confirm a pass under a tracer by one without`() {
        var changed = runs(run(failure), (.again, traced(pass)))
        #expect(plan().next(after: changed) == .again)
        #expect(!plan().traces(.again, after: changed))
        changed.add(run(pass), as: .again)
        #expect(Verdict(changed).judgement == .flaky)
    }

    @Test func `decide by the untraced one of two where the first is to be traced`() {
        var always = plan()
        always.trace = .always
        #expect(!always.traces(.again, after: Runs(first: traced(failure))))
        let changed = runs(traced(.exited(status: 23)), (.again, run(pass)))
        #expect(Verdict(changed).judgement == .passes)
        #expect(changed.roles.map(\.role) == ["first", "traced"])
    }

    @Test func `say nothing of a client that is a tracer, where no run was left alone`() {
        #expect(Verdict(Runs(first: traced(failure, isTracer: true))).judgement == .notJudged)
        let left = runs(traced(failure, isTracer: true), (.again, run(failure)), (.control, run(pass, on: .dualStack)))
        #expect(Verdict(left).judgement == .failsHere)
    }

    @Test func `show what a pass prints if a comparison is requested`() {
        var runs = Runs(first: run(pass))
        #expect(plan(.always).next(after: runs) == .again)
        #expect(plan(.always).next(after: runs, inputIsReplayed: false) == .control)
        runs.add(run(pass), as: .again)
        #expect(plan(.always).next(after: runs) == .control)
    }

    @Test func `go on here once more where a pass said something else than on dual-stack`() {
        var talking = run(pass)
        talking.lastLines = [PrintedLine(text: "upload failed")]
        var runs = Runs(first: run(pass), again: talking, control: run(pass, on: .dualStack))
        #expect(plan(.always).next(after: runs) == .later)
        runs.later = talking
        #expect(Verdict(runs).findings.map(\.rule).contains(.reportsError))
        runs.later = run(pass)
        #expect(!Verdict(runs).findings.map(\.rule).contains(.reportsError), "by chance")
        #expect(plan(.always).next(after: runs) == nil)
    }

    @Test func `end where it passes the second time`() {
        let runs = Runs(first: run(failure), again: run(pass))
        #expect(plan().next(after: runs, inputIsReplayed: true) == nil)
        #expect(plan(.always).next(after: runs, inputIsReplayed: true) == .control)
    }

    @Test func `do not end with a pass in which nothing was sent`() {
        let runs = Runs(first: run(failure), again: run(pass, silent: true))
        #expect(plan().next(after: runs, inputIsReplayed: true) == .control)
    }

    @Test func `are not repeated where the input cannot be`() {
        #expect(plan().next(after: Runs(first: run(failure)), inputIsReplayed: false) == .control)
        #expect(plan(.never).next(after: Runs(first: run(failure)), inputIsReplayed: false) == nil)
    }

    @Test func `never are more than one where that was asked for`() {
        var plan = plan()
        plan.isOnce = true
        #expect(plan.next(after: Runs(first: run(failure)), inputIsReplayed: true) == nil)
    }

    @Test func `are one on dual-stack, which nothing is compared with`() {
        let runs = Runs(first: run(failure, on: .dualStack))
        #expect(plan(.always, on: .dualStack).next(after: runs, inputIsReplayed: true) == nil)
    }

    private static func literal(_ outcome: SynthesisOutcome, _ answers: [IPAddress] = []) -> Lookup {
        Lookup(call: .getaddrinfo, node: "198.51.100.10", service: "80", answers: answers, outcome: outcome)
    }

    private func failing(_ profile: GetaddrinfoProfile, _ lookup: Lookup, control: ExitOutcome = .exited(status: 0))
        -> Runs
    {
        var first = run(failure, profile: profile)
        first.lookups = [lookup]
        return Runs(first: first, again: run(failure), control: run(control, on: .dualStack))
    }

    @Test func `show what Apple's getaddrinfo does for a literal that the machine's own was given`() {
        var runs = failing(.linux, Self.literal(.notByProfile, ["198.51.100.10"]))
        #expect(plan().next(after: runs) == .withSynthesis)
        #expect(!plan().traces(.withSynthesis, after: runs))
        runs.add(run(pass, profile: .apple), as: .withSynthesis)
        #expect(plan().next(after: runs) == nil, "never more than four")
        #expect(runs.worksBySynthesis && runs.roles.map(\.role).last == "with-synthesis")
        #expect(Verdict(runs).judgement == .failsHere, "which decides nothing")
    }

    @Test func `show whether a synthesised address is why a client fails`() {
        let runs = failing(.apple, Self.literal(.literal, ["64:ff9b::c633:640a"]))
        #expect(plan().next(after: runs) == .withoutSynthesis)
    }

    @Test func `need no other getaddrinfo where that would tell nothing`() {
        let literal = Self.literal(.notByProfile)
        var passing = run(pass)
        passing.lookups = [literal]
        #expect(plan().next(after: Runs(first: passing)) == nil)
        #expect(plan().next(after: failing(.linux, Self.literal(.numericHost))) == .later)
        #expect(plan().next(after: failing(.linux, Self.literal(.excluded))) == .later)
        #expect(plan().next(after: failing(.linux, literal, control: failure)) == nil)
        #expect(plan().next(after: failing(.apple, Self.literal(.excluded))) == .later)
        #expect(plan(.onFailure, on: .strict).next(after: failing(.linux, literal)) == .later)
    }

    @Test func `go to nat64 from IPv4 alone, where dual-stack fails, too`() {
        let plan = plan(on: .ipv4Only)
        func failing(_ control: ExitOutcome) -> Runs {
            Runs(
                first: run(failure, on: .ipv4Only), again: run(failure, on: .ipv4Only),
                control: run(control, on: .dualStack))
        }
        #expect(plan.next(after: failing(pass)) == .later)
        var runs = failing(failure)
        #expect(plan.next(after: runs) == .translated)
        #expect(RunPlan.Step.translated.schedule(of: NetworkSchedule(.ipv4Only)) == .nat64)
        runs.add(run(pass), as: .translated)
        #expect(plan.next(after: runs) == nil && Verdict(runs).judgement == .failsHere)
        runs.translated = run(failure)
        #expect(Verdict(runs).judgement == .failsEverywhere)
    }
}
