// SPDX-License-Identifier: Apache-2.0
import Evidence
import Testing
import Wire

@testable import Diagnosis

@Suite struct SharedLinesTests {
    private func run(_ sites: CallSite..., on network: Network = .nat64) -> RunEvidence {
        var run = RunEvidence(network: network, end: .exited(status: 1), duration: .seconds(1))
        run.lookups = sites.map { site in
            var lookup = Lookup(.gethostbyname, "echo.test")
            lookup.site = site
            return lookup
        }
        return run
    }

    private func site(_ module: String?, _ offset: Int?, line: Int? = nil, function: String? = nil) -> CallSite {
        CallSite(
            program: "client", module: module, offset: offset, function: function ?? line.map { _ in "open_to" },
            file: line.map { _ in "client.c" }, line: line)
    }

    @Test func `a run without lines has those of a traced one`() {
        let plain = site("/client", 16)
        let runs = Runs(
            first: run(plain), again: run(site("/client", 16, line: 25)), control: run(plain, on: .dualStack))
        let shared = runs.withSharedLines
        #expect(shared.all.map { $0.lookups[0].site.line } == [25, 25, 25])
        #expect(shared.first.lookups[0].site == site("/client", 16, line: 25))
        #expect(shared.again == runs.again)
    }

    @Test func `another place, another file, and a place that is not known have none of it`() {
        let traced = run(site("/client", 16, line: 25))
        for other in [site("/client", 17), site("/other", 16), site(nil, nil), site("/client", nil)] {
            #expect(Runs(first: run(other), again: traced).withSharedLines.first.lookups[0].site == other)
        }
    }

    /// All calls of a script come from the same place of its interpreter.
    @Test func `of an interpreter, a line is that of the same question`() {
        let module = "/usr/lib/python3.11/lib-dynload/_socket.cpython-311-x86_64-linux-gnu.so"
        let traced = run(site(module, 16, line: 25))
        var other = run(site(module, 16), site(module, 16))
        other.lookups[1].node = "other.test"
        let shared = Runs(first: other, again: traced).withSharedLines.first
        #expect(shared.lookups.map(\.site.line) == [25, nil])
    }

    /// Boost is compiled into the client: the preloaded library sees its line, and the question's stack the client's.
    @Test func `a line of a library gives way to the one that called it`() {
        let header = "/usr/include/boost/asio/detail/impl/socket_ops.ipp"
        let resolver = IPAddress.ipv6(IPv6Address("2e00::53")!)
        let library = StackFrame(function: "getaddrinfo", file: header, line: 3735, module: "/client")
        let own = StackFrame(function: "main", file: "client.cpp", line: 9, module: "/client")
        var question = TracedCall(
            .connect, .address(.ip(resolver, port: 53), length: 28, on: nil), .succeeded(0), program: 0, descriptor: 3,
            time: .zero)
        question.frames = [library, own]
        var traced = run(CallSite(module: "/client", offset: 16, function: "getaddrinfo", file: header, line: 3735))
        traced.calls = CallEvidence()
        traced.calls?.calls = [question]
        let shared = Runs(first: run(site("/client", 16)), again: traced).withSharedLines
        #expect(shared.all.map { $0.lookups[0].site.line } == [9, 9])
        #expect(shared.first.lookups[0].site.file == "client.cpp")
        traced.calls?.calls[0].frames = [own]
        #expect(Runs(first: traced).withSharedLines.first.lookups[0].site.line == 3735)
    }

    @Test func `a line goes before a symbol, and its own before another's`() {
        let symbol = site("/client", 16, function: "open_to.part.0")
        let line = site("/client", 16, line: 25)
        let own = site("/client", 16, line: 3)
        let shared = Runs(first: run(symbol), again: run(line), control: run(own)).withSharedLines
        #expect(shared.all.map { $0.lookups[0].site.line } == [25, 25, 3])
    }

    @Test func `of an interpreter, a question that several lines ask has each of them`() {
        let module = "/usr/lib/python3.11/lib-dynload/_socket.cpython-311-x86_64-linux-gnu.so"
        let traced = run(site(module, 16, line: 25), site(module, 16, line: 30))
        let shared = Runs(first: run(site(module, 16)), again: traced).withSharedLines.first
        #expect(shared.lookups.map(\.site.line) == [25, 30])
    }
}
