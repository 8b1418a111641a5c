// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Diagnosis
import Evidence
import EvidenceSupport
import Reports
import Testing
import Wire

/// A client's use of an address: sockets of the wrong family, empty addresses, proxies, servers.
@Suite struct AddressUseTests {
    private let names = [
        question("shop.test", .a, ["198.51.100.10"]),
        RepeatedQuery("shop.test", .aaaa, [synthesised.description], from: [server]),
    ]

    /// The findings of a client that fails here and passes on dual-stack.
    private func findings(
        _ calls: [TracedCall], there: [TracedCall] = [], flows: [Flow] = [],
        by programs: [TracedProgram] = [TracedProgram(process: 10, executable: "/app/client")],
        change: (inout RunEvidence, inout RunEvidence) -> Void = { _, _ in }
    ) -> [Finding] {
        var run = here(questions: names, flows: flows)
        run.calls = CallEvidence(calls, by: programs)
        var control = onDualStack(questions: [question("shop.test", .a, ["198.51.100.10"])], flows: [direct()])
        control.calls = CallEvidence(there, by: programs)
        change(&run, &control)
        return Verdict(run: run, control: control).findings
    }

    private func sorting(_ port: UInt16) -> [TracedCall] {
        [
            TracedCall(.connect, to: "198.51.100.10", port, on: .ipv4Datagram),
            TracedCall(.connect, to: "64:ff9b::c633:640a", port, on: .ipv6Datagram, .succeeded(0)),
        ]
    }

    @Test func `a datagram socket of the wrong family is the client's, after getaddrinfo has sorted`() {
        let found = findings(
            sorting(9000) + [
                TracedCall(
                    .connect, to: "64:ff9b::c633:640a", 9000, on: .ipv4Datagram, .failed(.familyNotSupported),
                    at: "report udp.c:10")
            ])
        #expect(found.map(\.rule) == [.mixesFamilies])
        #expect(found[0].observations[0].site?.line == 10)
    }

    @Test func `a short length for a datagram socket is the client's, after getaddrinfo has sorted`() {
        let found = findings(
            sorting(9000) + [
                TracedCall(
                    .connect, to: "64:ff9b::c633:640a", 9000, length: 16, on: .ipv6Datagram, .failed(.invalid),
                    at: "report udp.c:11")
            ])
        #expect(found.map(\.rule) == [.shortAddress])
    }

    @Test func `an address that comes again after the sorting is the client's own choice`() {
        let found = findings(
            sorting(9000) + [TracedCall(.connect, to: "198.51.100.10", 9000, on: .ipv4Datagram, at: "report udp.py:4")])
        #expect(found.map(\.rule) == [.takesIPv4Address])
        #expect(found[0].observations[0].site?.line == 4)
    }

    private let ipv4Socket = TracedCall(
        .socket, .socket(.ipv4Datagram), .succeeded(3), at: "send a.py:5", time: .milliseconds(1))

    @Test func `a socket of IPv4 that nothing leaves here, and on dual-stack does, is a mixture of families`() {
        let sent = TracedCall(.connect, to: "198.51.100.10", 9000, on: .ipv4Datagram, .succeeded(0))
        let found = findings([ipv4Socket], there: [ipv4Socket, sent])
        #expect(found.map(\.rule) == [.mixesFamilies])
        #expect(found[0].observations[0].site?.line == 5)
    }

    @Test func `a guard that makes no socket, and one whose socket is not used on dual-stack, is no mixture`() {
        #expect(!findings([], there: [ipv4Socket]).map(\.rule).contains(.mixesFamilies))
        let other = TracedCall(.connect, to: "198.51.100.10", 80, on: .ipv4Stream, .succeeded(0))
        #expect(!findings([ipv4Socket], there: [ipv4Socket, other]).map(\.rule).contains(.mixesFamilies))
    }

    @Test func `a socket of IPv4 from before the look-up counts where none of IPv6 is made`() {
        let early = TracedCall(
            .socket, .socket(.ipv4Stream), .succeeded(3), at: "open a.py:2", time: .milliseconds(-1))
        let sent = TracedCall(.connect, to: "198.51.100.10", 80, on: .ipv4Stream, .succeeded(0))
        #expect(findings([early], there: [early, sent]).map(\.rule) == [.mixesFamilies])
        let test = TracedCall(.socket, .socket(.ipv6Stream), .succeeded(4), at: "test a.py:3")
        #expect(!findings([early, test], there: [early, sent]).map(\.rule).contains(.mixesFamilies))
    }

    @Test func `a socket bound to 0.0.0.0 from which nothing leaves here is the cause`() {
        let bind = TracedCall(.bind, to: "0.0.0.0", 0, on: .ipv4Datagram, .succeeded(0), at: "ask probe.py:23")
        let sent = TracedCall(.sendto, to: "198.51.100.10", 123, on: .ipv4Datagram, .succeeded(5))
        let found = findings([bind], there: [bind, sent])
        #expect(found.map(\.rule) == [.bindsToIPv4])
        #expect(found[0].observations[0].site?.line == 23)
        // Where nothing is sent from it on dual-stack either, it says nothing.
        #expect(!findings([bind], there: [bind]).map(\.rule).contains(.bindsToIPv4))
    }

    @Test func `an address that was chosen before the socket was bound is the cause, and not the binding`() {
        let asked = TracedCall(.sendto, to: "2e00:2:0:1::1", 53, on: .ipv6Datagram, .succeeded(5), at: "getaddrinfo")
        let bind = TracedCall(
            .bind, to: "0.0.0.0", 0, on: .ipv4Datagram, .succeeded(0), at: "trace hops.c:3", time: .milliseconds(2))
        let sent = TracedCall(
            .connect, to: "198.51.100.10", 9000, on: .ipv4Datagram, at: "trace hops.c:4", time: .milliseconds(3))
        #expect(findings([asked, bind, sent]).map(\.rule) == [.takesIPv4Address])
        #expect(findings([bind, sent]).map(\.rule) == [.bindsToIPv4])
        // It would have gone by IPv6, were it not for the source.
        let ipv6Socket = TracedCall(.socket, .socket(.ipv6Datagram), .succeeded(3), at: "trace hops.c:2")
        #expect(findings([asked, ipv6Socket, bind, sent]).map(\.rule) == [.bindsToIPv4])
    }

    // MARK: - V6C-093

    @Test(arguments: ["0.0.0.0", "::"])
    func `an attempt at no address, where dual-stack has one at the line, is the cause`(_ address: String) throws {
        let empty = TracedCall(
            .connect, to: try #require(IPAddress(address)), 80, .failed(.connectionRefused), at: "dial cast.c:13")
        let there = TracedCall(.connect, to: "198.51.100.10", 80, .succeeded(0), at: "dial cast.c:13")
        let found = findings([empty], there: [there])
        #expect(found.map(\.rule) == [.connectsToNoAddress])
        #expect(found[0].observations[0].site?.line == 13)
        #expect(found[0].sentences[0].contains("On dual-stack it goes to 198.51.100.10 there."))
    }

    @Test func `an address of zeros on a stream connects to nothing`() {
        let empty = TracedCall(
            .connect, .address(.other(family: 0), length: 16, on: .ipv4Stream), .succeeded(0), at: "dial zero.c:8")
        let there = TracedCall(.connect, to: "198.51.100.10", 80, .succeeded(0), at: "dial zero.c:8")
        #expect(findings([empty], there: [there]).map(\.rule) == [.connectsToNoAddress])
    }

    @Test func `a program that goes to the machine itself by 0.0.0.0 on both networks means it`() {
        let local = TracedCall(.connect, to: "0.0.0.0", 8080, .failed(.connectionRefused), at: "ping self.c:3")
        #expect(!findings([local], there: [local]).map(\.rule).contains(.connectsToNoAddress))
    }

    // MARK: - V6C-034, V6C-095

    @Test func `a proxy is known by what it is asked on dual-stack`() {
        let call = TracedCall(
            .connect, to: "198.51.100.24", 3128, at: "get a.php:5", origin: .file(path: "config.php", line: 5))
        let found = findings([call]) { _, control in
            control.payloadFacts = [PayloadFact(.proxyRequest, .tcp, with: "198.51.100.24", port: 3128)]
        }
        #expect(found.map(\.rule) == [.proxyByIPv4])
        // A request to another port is not one to the proxy.
        let other = findings([call]) { _, control in
            control.payloadFacts = [PayloadFact(.proxyRequest, .tcp, with: "198.51.100.24", port: 8080)]
        }
        #expect(!other.map(\.rule).contains(.proxyByIPv4))
    }

    @Test(arguments: [(ProxiedRequest.Result.unroutable, true), (.connected, false)])
    func `a proxy that is given a synthesised address has no way there`(_ result: ProxiedRequest.Result, _ isMet: Bool)
    {
        let found = findings([]) { run, _ in
            var connection = ServedConnection(time: .zero, address: "2e00:2:0:cafe::24", port: 1080)
            connection.proxied = ProxiedRequest(.socks5, host: synthesised.description, port: 80, result: result)
            run.seen.connections = [connection]
        }
        #expect(found.map(\.rule).contains(.givesProxySynthesisedAddress) == isMet)
    }

    // MARK: - V6C-018

    @Test(arguments: [
        ("Error: bind EINVAL 0.0.0.0", Rule.bindsToIPv4), ("Error: bind EINVAL ::1", .refusesSynthesisedAddress),
    ])
    func `what Node says of an IPv4 address for an IPv6 socket is told`(_ words: String, _ rule: Rule) {
        let found = findings([]) { run, control in
            run.lastLines = [PrintedLine(text: words)]
            control.calls = CallEvidence([])
        }
        #expect(found.map(\.rule) == [rule])
    }

    // MARK: - V6C-020

    @Test func `a pass that misreads an address is told if it asks a host for less, the same in each run here`() {
        func found(
            _ here: UInt64, there: UInt64, call: LookupFunction = .inetPton, read: Int = 0, isListing: Bool = false
        ) -> [Rule] {
            var flow = translated()
            flow.bytesSent = here
            var other = direct()
            other.bytesSent = there
            return findings([], flows: [flow]) { run, control in
                run.end = .exited(status: 0)
                var lookup = Lookup(call: call, node: "2e00::1", result: read, program: "client")
                lookup.site.file = "a.c"
                lookup.site.line = 7
                run.lookups = [Lookup(call: .inetAton, node: "2e00::1"), lookup]
                run.listsAddresses = isListing
                control.seen.flows = [other]
            }.map(\.rule)
        }
        #expect(found(5, there: 11) == [.readsIPv6AsIPv4])
        #expect(found(5, there: 11, call: .inetAddr) == [.readsIPv6AsIPv4])
        #expect(found(5, there: 11, read: 1).isEmpty, "it is then read as what it is")
        #expect(found(5, there: 11, isListing: true).isEmpty, "it may send its own addresses")
        #expect(found(11, there: 11).isEmpty && found(20, there: 11).isEmpty)
        #expect(found(5, there: 11, call: .inetNtop, read: 0).contains(.cutsAddress))
    }

    @Test func `the text of an address that finds no room is the cause, unless an IPv4 attempt failed`() {
        func found(_ calls: TracedCall...) -> [Rule] {
            findings(calls) { run, _ in
                run.lookups = [Lookup(call: .inetNtop, node: "64:ff9b::c633:640a", program: "client")]
            }
            .map(\.rule)
        }
        #expect(found() == [.cutsAddress])
        let attempt = TracedCall(.connect, to: "198.51.100.10", 80, at: "main a.c:3")
        #expect(found(attempt) == [.takesIPv4Address])
    }

    // MARK: - V6C-016

    @Test(arguments: [
        (nil as StackFrame?, "drops the IPv6 address"),
        (StackFrame(file: "net.py", line: 2), "Take out what chooses IPv4"),
    ])
    func `what threw an address of a look-up for both away is looked for, unless a line chooses IPv4`(
        _ choice: StackFrame?, _ advice: String
    ) {
        let call = TracedCall(.connect, to: "198.51.100.10", 80, at: "main a.py:3")
        var program = TracedProgram(process: 10, executable: "/app/client")
        program.choosesIPv4At = choice
        let found = findings([call], by: [program]) { run, _ in
            run.lookups = [
                Lookup(
                    call: .getaddrinfo, node: "shop.test",
                    hints: LookupHints(family: 0, socktype: 1, protocol: 0, flags: 0),
                    answers: ["198.51.100.10", .ipv6(synthesised)])
            ]
        }
        #expect(found.map(\.rule) == [.takesIPv4Address])
        #expect(found.first?.advice.contains(advice) == true)
    }

    // MARK: - V6C-044

    @Test func `a guard between the socket and its connection refuses the address, whatever is tried next`() {
        let made = TracedCall(
            .socket, .socket(.ipv6Stream), .succeeded(7), at: "dial guard.go:9", time: .microseconds(500))
        let again = TracedCall(
            .socket, .socket(.ipv4Stream), .succeeded(7), at: "dial guard.go:9", time: .milliseconds(2))
        var next = TracedCall(.connect, to: "198.51.100.10", 80, at: "dial guard.go:9", time: .milliseconds(3))
        next.descriptor = 7
        let found = findings([made, again, next])
        #expect(found.map(\.rule) == [.refusesSynthesisedAddress])
        #expect(found[0].observations[0].site?.line == 9)
        var elsewhere = next
        elsewhere.program = 1
        let programs = [10, 11].map { TracedProgram(process: $0, executable: "/usr/bin/dig") }
        #expect(!findings([made, elsewhere], by: programs).map(\.rule).contains(.refusesSynthesisedAddress))
        // Without that socket it takes the IPv4 address only; a bound one is a test of the machine.
        #expect(findings([again, next]).map(\.rule) == [.takesIPv4Address])
        var test = TracedCall(.bind, to: "::1", 0, on: .ipv6Stream, .succeeded(0), time: .milliseconds(1))
        test.descriptor = 7
        #expect(findings([made, test, again, next]).map(\.rule) == [.takesIPv4Address])
    }

    // MARK: - V6C-092

    @Test(arguments: [
        ("http://64:ff9b::c633:640a/ip", "[64:ff9b::c633:640a]"),
        ("http://64:ff9b::c633:640a:80/", "[64:ff9b::c633:640a]"),
        ("http://2e00:2:0:1::100:8080/", "[2e00:2:0:1::100]"), ("http://2e00:2:0:1::ab:cd/", "[2e00:2:0:1::ab:cd]"),
        ("http://[64:ff9b::c633:640a]/", nil), ("http://shop.test:80/", nil),
    ])
    func `an address without brackets is told without the port behind it`(url: String, address: String?) {
        let child = TracedProgram(process: 11, parent: 10, executable: "/usr/bin/curl", arguments: ["curl", url])
        let found = findings([], by: [TracedProgram(process: 10, executable: "/app/client"), child])
        let told = found.first { $0.rule == .addressInURL }?.sentences.first
        #expect(told?.hasSuffix("the address is to be \(address ?? "").") ?? false == (address != nil))
    }

    @Test(arguments: [("64:ff9b::c633", "64:ff9b::c633:640", true), ("64", "64:ff9b::c633:640", false)])
    func `a library that takes the last group for the port is told before an address that is cut`(
        _ node: String, _ address: String, _ isOfURL: Bool
    ) {
        var lookup = Lookup(call: .getaddrinfo, node: node, program: "client")
        lookup.result = -2
        let found = findings([], flows: []) { run, _ in
            run.seen.questions = [question("shop.test", .aaaa, [address])]
            run.lookups = [lookup]
        }
        #expect(found.map(\.rule) == [isOfURL ? .addressInURL : .cutsAddress])
    }

    // MARK: - V6C-094

    @Test func `a client that connects and then sends nothing, unlike on dual-stack, is told as well`() {
        let call = TracedCall(
            .connect, to: "64:ff9b::c633:640a", 80, on: .ipv6Stream, .succeeded(0), at: "reach a.py:3")
        var silent = translated(bytesReceived: 0)
        silent.bytesSent = 0
        #expect(findings([call], flows: [silent]).map(\.rule) == [.endsAfterConnection])
        silent.bytesSent = 10
        #expect(!findings([call], flows: [silent]).map(\.rule).contains(.endsAfterConnection))
        silent.bytesSent = 0
        let listening = findings([call], flows: [silent]) { _, control in control.seen.flows[0].bytesSent = 0 }
        #expect(!listening.map(\.rule).contains(.endsAfterConnection), "the server speaks first, and was not heard")
    }

    @Test func `a client that gets through as on dual-stack and fails is told where it was last`() {
        let call = TracedCall(
            .connect, to: "64:ff9b::c633:640a", 80, on: .ipv6Stream, .succeeded(0), at: "reach a.py:3")
        let found = findings([call], flows: [translated()])
        #expect(found.map(\.rule) == [.endsAfterConnection])
        #expect(found[0].observations[0].site?.line == 3)
        // Where a host of dual-stack is missing, it is another matter.
        let missing = findings([call], flows: [translated()]) { _, control in
            control.seen.flows.append(direct(to: IPv4Address(198, 51, 100, 99)))
        }
        #expect(!missing.map(\.rule).contains(.endsAfterConnection))
    }

    // MARK: - Errors that the client prints

    private func printed(_ message: String, _ line: Int, in file: String = "peers.py") -> PrintedError {
        PrintedError(message: message, frames: [StackFrame(function: "key", file: file, line: line)])
    }

    @Test func `an error that a client that passes reports here alone is a warning`() {
        func found(_ change: (inout RunEvidence, inout RunEvidence) -> Void) -> [Finding] {
            findings([], flows: [translated()]) { run, control in
                run.end = .exited(status: 0)
                change(&run, &control)
            }
        }
        let dead = found { run, _ in run.printedErrors = [printed("ValueError: 64:ff9b", 7)] }
        #expect(dead.map(\.rule) == [.reportsError] && dead[0].severity == .warning)
        #expect(dead[0].observations.map(\.site?.line) == [7])
        let said = found { run, _ in
            run.lastLines = [PrintedLine(text: "stats disabled: bad peer"), PrintedLine(text: "done")]
        }
        #expect(said.map { $0.sentences[0] } == ["It said \"stats disabled: bad peer\"."])
        // The calls tell of connections, and threads print in any order.
        #expect(
            found { run, _ in run.printedErrors = [printed("OSError: [Errno 101] Network is unreachable", 7)] }.isEmpty)
        #expect(
            found { run, control in
                (run.printedErrors, control.printedErrors) = ([printed("step 1", 7)], [printed("KeyError: 'x'", 7)])
            }.isEmpty)
        #expect(found { run, _ in run.lastLines = [PrintedLine(text: "by 64:ff9b::c633:640a")] }.isEmpty)
        #expect(
            found { run, control in
                run.lastLines = [PrintedLine(text: "cannot read stats")]
                control.lastLines = run.lastLines
            }.isEmpty)
    }

    @Test func `the line of the client's own error stands before that of its last call`() {
        let call = TracedCall(
            .connect, to: "64:ff9b::c633:640a", 80, on: .ipv6Stream, .succeeded(0), at: "reach a.py:3")
        let error = printed("ValueError: 64:ff9b", 7)
        let found = findings([call], flows: [translated()]) { run, _ in run.printedErrors = [error] }
        #expect(found.map(\.rule) == [.endsAfterConnection])
        #expect(found[0].observations.map(\.site?.line) == [7])
        #expect(found[0].sentences[0].contains("It reported \"ValueError: 64:ff9b\" in key (peers.py:7)."))
        let crashed = findings([call], flows: [translated()]) { run, _ in
            (run.printedErrors, run.end) = ([error], .killed(signal: 6))
        }
        #expect(crashed.map(\.rule) == [.endsAfterConnection])
        let stopped = findings([call], flows: [translated()]) { run, _ in run.end = .killed(signal: 15) }
        #expect(!stopped.map(\.rule).contains(.endsAfterConnection), "by another process")
        // An error that it reports on dual-stack, too, is no cause.
        let alike = findings([call], flows: [translated()]) { run, control in
            (run.printedErrors, control.printedErrors) = ([error], [printed("ValueError: 198.51", 7)])
        }
        #expect(alike.first?.observations.map(\.site?.line) == [3])
        let foreign = findings([call], flows: [translated()]) { run, _ in
            run.printedErrors = [printed("ValueError: no", 7, in: "/usr/lib/python3.11/ipaddress.py")]
        }
        #expect(foreign.first?.observations.map(\.site?.line) == [3])
    }

    @Test func `of several errors the cause is told`() {
        func line(_ errors: PrintedError..., there: [PrintedError] = []) -> Int? {
            let call = TracedCall(
                .connect, to: "64:ff9b::c633:640a", 80, on: .ipv6Stream, .succeeded(0), at: "reach a.py:3")
            return findings([call], flows: [translated()]) { run, control in
                (run.printedErrors, control.printedErrors) = (errors, there)
            }.first?.observations.first?.site?.line
        }
        func stack(_ line: Int, isConsequence: Bool = false, of message: String = "E: x") -> PrintedError {
            var error = printed(message, line)
            error.frames.append(StackFrame(file: "main.py", line: 90))
            error.isConsequence = isConsequence
            return error
        }
        #expect(line(stack(5), stack(6, isConsequence: true)) == 5)
        #expect(line(stack(5), stack(6)) == 6)
        #expect(line(printed("not in the list", 7), printed("stopping", 8)) == 7, "lines of a log")
        #expect(line(stack(5), printed("stopping", 8)) == 5)
        #expect(line(stack(5), stack(6, of: "Cold: a3"), there: [stack(6, of: "Cold: zz")]) == 5, "a harmless one")
    }

    @Test func `the line at which it ended itself stands there, too`() {
        let call = TracedCall(
            .connect, to: "64:ff9b::c633:640a", 80, on: .ipv6Stream, .succeeded(0), at: "reach a.c:3")
        func end(_ outcome: ExitOutcome, _ frames: StackFrame...) -> TracedEnd {
            TracedEnd(program: 0, outcome: outcome, frames: frames)
        }
        let helper = StackFrame(function: "log_fatal", file: "log.c", line: 4)
        let check = StackFrame(function: "check", file: "peer.c", line: 9)
        let exit = StackFrame(
            function: "exit", file: "./stdlib/exit.c", line: 143, module: "/lib/x86_64-linux-gnu/libc.so.6")
        func told(_ here: [TracedEnd], there: [TracedEnd] = []) -> CallSite? {
            let found = findings([call], flows: [translated()]) { run, control in
                run.calls?.ends = here
                control.calls?.ends = there
            }
            #expect(found.map(\.rule) == [.endsAfterConnection])
            return found.first?.observations.first?.site
        }
        #expect(told([end(.exited(status: 2), exit, helper, check)])?.line == 9)
        #expect(told([end(.exited(status: 2), exit, helper)])?.line == 4)
        #expect(told([end(.killed(signal: 11), check)])?.file == "peer.c")
        #expect(told([end(.exited(status: 2), exit)])?.line == 3)
        let grep = end(.exited(status: 1), check)
        #expect(
            told([grep, end(.exited(status: 2), helper)], there: [grep])?.line == 4, "it does so on dual-stack, too")
    }

    @Test func `an error of its own is the last resort, and gives a finding without a line its place`() {
        let error = printed("KeyError: 'network'", 7)
        let missing = direct(to: IPv4Address(198, 51, 100, 99))
        let alone = findings([], flows: [translated()]) { run, control in
            run.printedErrors = [error]
            run.seen.questions.append(
                RepeatedQuery("news.test", .aaaa, ["64:ff9b::c633:6463"], from: [IPv4Address(198, 51, 100, 99)]))
            control.seen.questions.append(question("news.test", .a, ["198.51.100.99"]))
            control.seen.flows.append(missing)
        }
        #expect(alone.map(\.rule) == [.reportsError])
        #expect(alone[0].observations.map(\.site?.line) == [7])
        let ignored = findings([]) { run, _ in run.printedErrors = [error] }
        #expect(ignored.contains { $0.rule != .reportsError } && !ignored.map(\.rule).contains(.reportsError))
        #expect(ignored[0].observations[0].site?.line == 7)
    }

    @Test(arguments: [
        "TypeError: Invalid URL, input: 'http://64:ff9b::c633:640a:80/'",
        "parse \"http://64:ff9b::c633:640a:80/\": invalid port \":80\" after host",
        "http.client.InvalidURL: nonnumeric port: 'ff9b::c633:640a:80'", "Invalid port: 'ff9b::c633:640a'",
        "dial tcp: address 64:ff9b::c633:640a:80: too many colons in address",
    ])
    func `a URL without brackets is told by the library that refuses it`(_ message: String) {
        let found = findings([]) { run, _ in run.printedErrors = [printed(message, 7)] }
        #expect(found.first?.rule == .addressInURL)
        #expect(found.first?.observations[0].site?.line == 7)
        #expect(found.first?.sentences[0].hasSuffix("The address is to be [64:ff9b::c633:640a].") == true)
    }

    @Test func `and by the client's last words`() {
        let words = "Failed to parse URL from http://64:ff9b::c633:640a:80/ip"
        let exit = TracedEnd(
            program: 0, outcome: .exited(status: 1), frames: [StackFrame(function: "main", file: "a.js", line: 6)])
        let found = findings([]) { run, _ in
            run.lastLines = [PrintedLine(text: words)]
            run.calls?.ends = [exit]
        }
        #expect(found.first?.rule == .addressInURL)
        #expect(found.first?.observations[0].site?.line == 6)
        #expect(found.first?.sentences[0].contains("Its last words: \"\(words)\". The address is to be [") == true)
        let alike = findings([]) { run, control in
            (run.lastLines, control.lastLines) = ([PrintedLine(text: words)], [PrintedLine(text: words)])
        }
        #expect(alike.first?.rule != .addressInURL, "dual-stack has it, too")
    }

    // MARK: - V6C-008

    @Test(arguments: [
        ("ValueError: too many values to unpack (expected 2)", true),
        ("ValueError: invalid literal for int() with base 10: 'ff9b'", true),
        ("ValueError: invalid literal for int() with base 10: 'ff9b::c633:640a'", true),
        ("java.lang.NumberFormatException: For input string: \"c633\"", true),
        ("RangeError [ERR_SOCKET_BAD_PORT]: Port should be >= 0 and < 65536. Received type number (NaN).", true),
        ("ValueError: too many values to unpack (expected 3)", false), ("KeyError: 'beef'", false),
        ("KeyError: '64:ff9b::c633:640a'", false),
    ])
    func `an address that is split at its colons is told by the error about its pieces`(
        _ message: String, _ isCut: Bool
    ) {
        let found = findings([]) { run, _ in run.printedErrors = [printed(message, 7)] }
        #expect((found.first?.rule == .cutsAddress) == isCut)
        #expect(found.first?.observations[0].site?.line == 7)
    }

    @Test func `a socket that was connected to a misread address is no IPv4 socket in vain`() {
        let made = TracedCall(.socket, .socket(.ipv4Stream), .succeeded(5), at: "main a.rb:4", time: .seconds(1))
        let there = TracedCall(.connect, to: "198.51.100.10", 7, .succeeded(0))
        let unused = findings([made], there: [there])
        #expect(unused.map(\.rule).contains(.mixesFamilies))
        let misread = TracedCall(
            .connect, to: "0.0.0.64", 0, at: "main a.rb:4", descriptor: 5, time: .seconds(2))
        #expect(!findings([made, misread], there: [there]).map(\.rule).contains(.mixesFamilies))
    }

    // MARK: - V6C-040

    @Test func `a group that cannot be joined is no cause where the client goes on and fails later`() {
        let join = TracedCall(
            .setsockopt, .option(level: 0, option: 35, on: .ipv4Datagram), .failed(ErrorNumber(rawValue: 19)),
            at: "find a.c:4")
        let later = TracedCall(
            .connect, to: "198.51.100.10", 80, at: "report a.c:9", time: .milliseconds(5))
        #expect(findings([join]).map(\.rule) == [.findsByIPv4Multicast])
        #expect(findings([join, later]).map(\.rule) == [.takesIPv4Address])
    }

    // MARK: - V6C-025

    private func probed(
        _ calls: TracedCall..., isProbed: Bool = true,
        program: TracedProgram = TracedProgram(
            process: 10, executable: "/usr/bin/python3", arguments: ["python3", "shop.py"])
    ) -> [Finding] {
        findings(calls, by: [program]) { run, _ in run.isProbed = isProbed }
    }

    @Test func `a server on IPv4 alone that no probe reaches fails for that, at the line that listens`() {
        let call = TracedCall(.listen, to: "0.0.0.0", 8080, .succeeded(0), at: "main shop.py:12")
        let found = probed(call)
        #expect(found.map(\.rule) == [.listensOnIPv4])
        #expect(found[0].severity == .error)
        #expect(found[0].observations[0].site?.line == 12)
        #expect(found[0].observations[0].target == .farEnd(.address("0.0.0.0"), .tcp, port: 8080))
        #expect(!probed(call, isProbed: false).map(\.rule).contains(.listensOnIPv4))
    }

    @Test func `the bind of the user is told, where a library's worker listens`() {
        let found = probed(
            TracedCall(.bind, to: "0.0.0.0", 8080, .succeeded(0), at: "main run.py:4"),
            TracedCall(
                .listen, to: "0.0.0.0", 8080, .succeeded(0),
                at: "spawn /usr/lib/python3.11/multiprocessing/spawn.py:122"))
        #expect(found.map(\.rule) == [.listensOnIPv4])
        #expect(found[0].observations[0].site?.line == 4)
    }

    @Test(arguments: [
        ("/usr/lib/python3/dist-packages/uvicorn/server.py:9", "uvicorn listens on both families with --host \"\""),
        (
            "/venv/lib/python3.11/site-packages/aiohttp/web_runner.py:9",
            "aiohttp listens on both families with run_app(app) without host."
        ),
        ("shop.py:9", "Listen on \"::\""),
    ])
    func `advice is for what the server is made with`(_ frame: String, _ advice: String) {
        let call = TracedCall(.listen, to: "0.0.0.0", 8080, .succeeded(0), at: "serve \(frame)", "main shop.py:12")
        #expect(probed(call).first?.advice.hasPrefix(advice) == true)
    }

    @Test func `a server that is a program of its own is known by its name`() {
        let call = TracedCall(.listen, to: "0.0.0.0", 80, .succeeded(0))
        let program = TracedProgram(process: 10, executable: "/usr/sbin/nginx", arguments: ["nginx"])
        #expect(
            probed(call, program: program).first?.advice
                == "nginx listens on both families with listen PORT; with listen [::]:PORT;.")
    }

    // MARK: - Programs that the client starts

    @Test func `a tool that prints addresses for a log is no cause where a host is tried afterwards`() {
        let tool = TracedProgram(
            process: 11, parent: 0, executable: "/usr/bin/hostname", arguments: ["hostname", "-I"])
        let shell = TracedProgram(process: 10, executable: "/usr/bin/dash", arguments: ["sh", "register.sh"])
        let later = TracedCall(.connect, to: "192.0.2.9", 80, time: .milliseconds(9))
        func rules(_ calls: [TracedCall]) -> [Rule] {
            var run = here()
            run.calls = CallEvidence(calls, by: [shell, tool])
            return Verdict(run: run, control: onDualStack(flows: [direct()])).findings.map(\.rule)
        }
        #expect(rules([]).contains(.looksForIPv4Interface))
        #expect(!rules([later]).contains(.looksForIPv4Interface))
    }

    @Test func `what a tool does stands where a script started it`() {
        var tool = TracedProgram(
            process: 11, parent: 0, executable: "/usr/bin/curl", arguments: ["curl", "http://192.0.2.1/"])
        tool.startedAt = StackFrame(file: "deploy.sh", line: 8)
        let shell = TracedProgram(process: 10, executable: "/usr/bin/dash", arguments: ["sh", "deploy.sh"])
        let call = TracedCall(.connect, to: "198.51.100.10", 80, program: 1)
        let found = findings([call], by: [shell, tool])
        #expect(found.map(\.rule) == [.takesIPv4Address])
        #expect(found[0].observations[0].site?.file == "deploy.sh")
        #expect(found[0].observations[0].site?.line == 8)
    }
}
