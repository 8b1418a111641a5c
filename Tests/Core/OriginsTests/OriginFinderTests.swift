// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import EvidenceSupport
import Testing
import Translation
import Wire

@testable import Origins

@Suite struct OriginFinderTests {
    private static let configuration = Array("port = 80\nserver = 198.51.100.31\n".utf8)

    /// A client that connects to 64:ff9b::c633:641f after two seconds.
    private func run(arguments: [String] = ["agent"], lookups: [Lookup] = []) -> RunEvidence {
        var run = RunEvidence(network: .nat64, end: .exited(status: 1), duration: .seconds(3), lookups: lookups)
        run.calls = CallEvidence(
            [TracedCall(.connect, to: "64:ff9b::c633:641f", 80, time: .seconds(2))],
            by: [TracedProgram(process: 10, executable: "/app/agent", arguments: arguments)])
        return run
    }

    private func origin(
        _ run: RunEvidence, _ search: (inout OriginFinder) -> Void = { _ in }
    ) throws -> AddressOrigin? {
        var run = run
        var finder = try #require(OriginFinder(run, prefixes: [.wellKnown]))
        search(&finder)
        finder.complete(&run)
        return run.calls?.calls[0].origin
    }

    @Test func `an address on the command line is from there`() throws {
        let run = run(arguments: ["agent", "--server", "http://198.51.100.31/"])
        #expect(try origin(run) == AddressOrigin(.argument(2, of: "/app/agent")))
    }

    @Test func `the client's arguments are those of what it executed last in its place`() throws {
        var run = run(arguments: ["env", "bash", "shim", "--server", "198.51.100.31"])
        run.calls?.programs.append(
            TracedProgram(
                process: 10, parent: 0, executable: "/usr/bin/agent",
                arguments: ["agent", "--server", "198.51.100.31"],
                start: .seconds(1)))
        #expect(try origin(run) == AddressOrigin(.argument(2, of: "/usr/bin/agent")))
    }

    @Test func `an address in a variable is from the environment`() throws {
        #expect(
            try origin(run()) { $0.search(variable: "SERVER", value: Array("198.51.100.31:80".utf8)) }
                == AddressOrigin(.environment(variable: "SERVER")))
    }

    /// ssh and Kubernetes put addresses into the environment of every program.
    @Test(arguments: [
        ("server = os.environ.get('SERVER', '198.51.100.31')", true), ("server = '198.51.100.31'  # MY_SERVER", false),
        ("server = '198.51.100.31'", false),
    ])
    func `a variable that the program does not name comes after its own text`(source: String, isNamed: Bool) throws {
        let found = try origin(run()) {
            $0.search(variable: "SERVER", value: Array("198.51.100.31 22".utf8))
            $0.search(file: Array(source.utf8), path: "/app/agent.py", openedAt: .seconds(1))
        }
        #expect(found?.place == (isNamed ? .environment(variable: "SERVER") : .file(path: "/app/agent.py", line: 1)))
    }

    @Test func `a variable is named on a command line, too`() throws {
        let found = try origin(run(arguments: ["sh", "-c", "agent $SERVER || agent $BACKUP"])) {
            $0.search(variable: "SERVER", value: Array("198.51.100.31".utf8))
            $0.search(file: Self.configuration, path: "/app/agent.conf", openedAt: .seconds(1))
        }
        #expect(found?.place == .environment(variable: "SERVER"))
    }

    @Test(arguments: [(nil, 2), ("/app/agent.py", 4), ("agent.py", 4), ("/lib/agent.py", 2)])
    func `of several lines with an address the call's own counts, and a comment does not`(
        caller: String?, line: Int
    ) throws {
        let source = "# It was 198.51.100.31.\nALLOWED = ['198.51.100.31']\n\nconnect('198.51.100.31')\n"
        var run = run()
        run.calls?.calls[0].frames = [StackFrame(file: caller, line: 4)]
        let found = try origin(run) {
            $0.search(file: Array(source.utf8), path: "/app/agent.py", openedAt: .seconds(1))
        }
        #expect(found?.place == .file(path: "/app/agent.py", line: line))
    }

    @Test func `an address in a file that was opened before is from its line`() throws {
        #expect(
            try origin(run()) { $0.search(file: Self.configuration, path: "/app/agent.conf", openedAt: .seconds(1)) }
                == AddressOrigin(.file(path: "/app/agent.conf", line: 2)))
    }

    @Test func `a file that was opened later is no origin`() throws {
        #expect(
            try origin(run()) { $0.search(file: Self.configuration, path: "/app/log", openedAt: .seconds(3)) } == nil)
    }

    @Test func `of two files the one that was opened first is the origin`() throws {
        let found = try origin(run()) {
            $0.search(file: Self.configuration, path: "/app/b", openedAt: .seconds(2))
            $0.search(file: Self.configuration, path: "/app/a", openedAt: .seconds(1))
        }
        #expect(found?.place == .file(path: "/app/a", line: 2))
    }

    @Test func `a library's file is the origin only if no other is`() throws {
        let library = "/usr/lib/python3.11/ipaddress.py"
        let found = try origin(run()) {
            $0.search(file: Self.configuration, path: library, openedAt: .seconds(1))
            $0.search(file: Self.configuration, path: "/app/b", openedAt: .seconds(2))
        }
        #expect(found?.place == .file(path: "/app/b", line: 2))
        let only = try origin(run()) {
            $0.search(file: Self.configuration, path: library, openedAt: .seconds(1))
        }
        #expect(only?.place == .file(path: library, line: 2))
    }

    @Test func `an address that the DNS told is from its answer`() throws {
        var run = run()
        run.seen.queries = QueryExcerpt([QueryRecord("api.test", .aaaa, ["64:ff9b::c633:641f"])])
        #expect(try origin(run) == AddressOrigin(.answer("api.test", .aaaa)))
    }

    /// The client asks a name server at that time, and connects to 198.51.100.31 after two seconds.
    private func run(asking time: Duration, gaps: [String] = []) -> RunEvidence {
        var run = run()
        run.calls?.calls = [
            TracedCall(.connect, to: "198.51.100.31", 80, time: .seconds(2)),
            TracedCall(.connect, to: "2e00:2:0:1::1", 53, on: .ipv6Datagram, .succeeded(0), time: time),
        ]
        run.calls?.gaps = gaps
        run.seen.queries = QueryExcerpt([QueryRecord("api.test", .a, ["198.51.100.31"])])
        return run
    }

    @Test func `a text record that has the address is one, too`() throws {
        var run = run()
        run.seen.queries = QueryExcerpt([QueryRecord("_api._tcp.api.test", .txt, ["\"endpoint=198.51.100.31:80\""])])
        #expect(try origin(run) == AddressOrigin(.answer("_api._tcp.api.test", .txt)))
    }

    @Test func `an answer is no origin of an address that was used before anything was asked`() throws {
        #expect(try origin(run(asking: .seconds(1)))?.place == .answer("api.test", .a))
        #expect(try origin(run(asking: .seconds(3))) == nil)
        // Where the calls are not all known, an earlier question may be missing.
        #expect(try origin(run(asking: .seconds(3), gaps: ["a static program"]))?.place == .answer("api.test", .a))
    }

    @Test
    func
        `an address that the DNS told and that stands in a file is probably from the file, if the name was reached by IPv6`()
        throws
    {
        let place = AddressOrigin.Place.file(path: "/app/agent.conf", line: 2)
        func origin(_ run: RunEvidence) throws -> AddressOrigin? {
            try self.origin(run) {
                $0.search(file: Self.configuration, path: "/app/agent.conf", openedAt: .seconds(1))
            }
        }
        // A default that was overridden, a comment, or a list that the program wrote itself.
        var run = run(asking: .seconds(1))
        run.seen.questions = [
            RepeatedQuery("api.test", .a, ["198.51.100.31"]), RepeatedQuery("api.test", .aaaa, ["64:ff9b::c633:641f"]),
        ]
        #expect(try origin(run)?.place == .answer("api.test", .a))
        run.calls?.calls[0].frames = [StackFrame(file: "agent.conf", line: 2)]
        #expect(try origin(run) == AddressOrigin(place, isCertain: false), "a caller's line has it")
        run.calls?.calls[0].frames = []
        run.seen.flows = [
            Flow(.tcp, "64:ff9b::c633:641f", 443, .translated(IPv4Address(198, 51, 100, 31)), accepted: 1)
        ]
        #expect(try origin(run) == AddressOrigin(place, isCertain: false))
        #expect(try origin(self.run(asking: .seconds(3))) == AddressOrigin(place))
        // Four octets are not meant for an address as a line is.
        #expect(
            try self.origin(self.run(asking: .seconds(1))) {
                $0.search(module: [9, 198, 51, 100, 31, 9], path: "/app/agent")
            }?.place == .answer("api.test", .a))
    }

    @Test func `what a shell was given as text is its command line, whatever the number of the argument`() throws {
        var run = run()
        run.calls?.programs = [
            TracedProgram(
                process: 10, executable: "/usr/bin/dash", arguments: ["/bin/sh", "-c", "agent http://198.51.100.31/"])
        ]
        #expect(try origin(run)?.place == .command(shell: "sh"))
    }

    @Test func `four octets of a program are probably the origin, and a line of a file goes before them`() throws {
        let module: [UInt8] = [9, 9, 198, 51, 100, 31, 9]
        let likely = try origin(run()) { $0.search(module: module, path: "/app/agent") }
        #expect(likely == AddressOrigin(.data(module: "/app/agent"), isCertain: false))
        let sure = try origin(run()) {
            $0.search(module: module, path: "/app/agent")
            $0.search(file: Self.configuration, path: "/app/agent.conf", openedAt: .seconds(1))
        }
        #expect(sure?.isCertain == true)
    }

    /// The origin of 198.51.100.31 in the data of a program that was compiled from these sources.
    private func origin(compiledFrom sources: [String: String]) throws -> AddressOrigin? {
        try origin(run()) {
            $0.search(module: Array("x198.51.100.31y".utf8), path: "/app/agent")
            #expect($0.modulesWithAddresses == ["/app/agent"])
            $0.search(sources: sources.mapValues { Array($0.utf8) }, of: "/app/agent")
        }
    }

    @Test func `an address in a program's data is from the one line of its source that has it`() throws {
        #expect(
            try origin(compiledFrom: [
                "/app/a.go": "package a\nconst server = \"198.51.100.31:80\"\n", "/app/b.go": "\n",
            ])
                == AddressOrigin(.file(path: "/app/a.go", line: 2)))
        #expect(
            try origin(compiledFrom: ["/app/a.c": "// 198.51.100.31 is in Lund\n#define SERVER \"198.51.100.31\"\n"])?
                .place
                == .file(path: "/app/a.c", line: 2))
    }

    @Test func `where two lines have it, or none as text, only the program is known`() throws {
        let likely = AddressOrigin(.data(module: "/app/agent"), isCertain: false)
        #expect(try origin(compiledFrom: ["/a.c": "\"198.51.100.31\"", "/b.c": "\"198.51.100.31\""]) == likely)
        #expect(try origin(compiledFrom: ["/a.c": "\"198.51.100.31\"\n\"198.51.100.31\""]) == likely)
        #expect(try origin(compiledFrom: ["/a.c": "x = 3325256735; s = \"198.51.100.3\";"]) == likely)
        #expect(try origin(compiledFrom: [:]) == likely)
    }

    @Test func `an address that stands in pieces in a program's code is probably from the one line of its source`()
        throws
    {
        func found(_ source: String) throws -> AddressOrigin? {
            try origin(run()) {
                #expect($0.lacksOrigin(of: "64:ff9b::c633:641f"))
                $0.search(sources: ["/app/a.cc": Array(source.utf8)], of: "/app/agent")
            }
        }
        #expect(
            try found("\nstd::string peer = \"198.51.100.31\";\n")
                == AddressOrigin(.file(path: "/app/a.cc", line: 2), isCertain: false))
        #expect(try found("\"198.51.100.31\"\n\"198.51.100.31\"") == nil)
    }

    @Test func `a literal that was only looked up has its origin as well`() throws {
        var run = run(lookups: [Lookup(call: .getaddrinfo, node: "198.51.100.99")])
        var finder = try #require(OriginFinder(run, prefixes: [.wellKnown]))
        finder.search(file: Array("198.51.100.99".utf8), path: "/app/hosts", openedAt: .zero)
        finder.complete(&run)
        #expect(run.lookups[0].origin == AddressOrigin(.file(path: "/app/hosts", line: 1)))
    }

    @Test func `where no address was used there is nothing to find`() {
        #expect(
            OriginFinder(RunEvidence(network: .nat64, end: .exited(status: 0), duration: .zero), prefixes: []) == nil)
    }
}
