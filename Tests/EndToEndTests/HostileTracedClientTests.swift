// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Clients that are hard to trace: their runs must end soon, and their reports must still show the call that fails.
    @Suite struct HostileTracedClientTests {
        private static let sources = Binaries.root.appending(path: "fixtures/hostile")

        /// The path of the source's program; each is built once.
        private func built(_ source: String, _ options: String...) throws -> String {
            let product = Binaries.directory.appending(path: "hostile-\(source.prefix { $0 != "." })").path
            if !FileManager.default.fileExists(atPath: product) {
                let build = try run(
                    ["cc", "-g", "-O0"] + options + ["-o", product, Self.sources.appending(path: source).path])
                try #require(build.status == 0, Comment(rawValue: build.standardError))
            }
            return product
        }

        private func traced(_ client: [String], as user: User = User.available[0]) throws -> Output {
            try run(
                [Binaries.ipv6check, "--trace", "always", "--getaddrinfo", "linux", "--once", "--"] + client, as: user)
        }

        @Test(arguments: ["deep", "closes", "fills", "traces", "filters", "listens"], User.available)
        func `what a client does to itself hides no call of it`(_ what: String, _ user: User) throws {
            let start = ContinuousClock.now
            let output = try traced([built("calls.c"), what], as: user)
            // A client that traces is not judged by its traced run alone.
            #expect(output.status == (what == "traces" ? 5 : 1), Comment(rawValue: output.standardError))
            #expect(
                output.standardError.contains("connect(198.51.100.10 port 80"), Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("in to_literal"), Comment(rawValue: output.standardError))
            #expect(ContinuousClock.now - start < .seconds(30))
        }

        @Test func `a call that a client forbids itself is not made, and its run ends`() throws {
            let output = try traced([built("calls.c"), "forbids"])
            #expect(output.status == 1, Comment(rawValue: output.standardError))
            #expect(!output.standardError.contains("connect(198.51.100.10"))
        }

        @Test func `ten thousand children are followed, and none is left`() throws {
            let program = try built("calls.c")
            let output = try traced([program, "forks", "10000"])
            #expect(output.status == 1, Comment(rawValue: output.standardError))
            #expect(
                output.standardError.contains("connect(198.51.100.10 port 80"), Comment(rawValue: output.standardError))
            #expect(try run(["pgrep", "-f", "^\(program) forks"]).text.isEmpty)
        }

        #if arch(x86_64)
            @Test func `a program of 32 bits is followed`() throws {
                let program = try built(
                    "small.c", "-m32", "-O1", "-fno-pie", "-no-pie", "-fno-stack-protector", "-nostdlib", "-static",
                    "-ffreestanding")
                let output = try traced([program])
                #expect(output.status == 1, Comment(rawValue: output.standardError))
                #expect(
                    output.standardError.contains("connect(198.51.100.10 port 80"),
                    Comment(rawValue: output.standardError))
            }
        #endif

        /// No system call has the destination of an io_uring request. The dual-stack network shows it, if this kernel permits io_uring.
        @Test func `what goes by io_uring is found on the network, and its gap is told`() throws {
            let program = try built("uring.c")
            let output = try run([Binaries.ipv6check, "--trace", "always", "--getaddrinfo", "linux", program])
            if output.standardError.contains("io_uring_setup: ") {
                #expect(output.status == 3, Comment(rawValue: output.standardError))
            } else {
                #expect(output.status == 1, Comment(rawValue: output.standardError))
                #expect(output.standardError.contains("V6C-001"), Comment(rawValue: output.standardError))
                #expect(output.standardError.contains("uses io_uring"), Comment(rawValue: output.standardError))
            }
        }

        /// A client's messages on the library's socket cannot override the proof by its packets and its exit.
        @Test(arguments: ["claims", "places", "noise", "flood"])
        func `forged look-ups make no proof, and keep nobody`(_ what: String) throws {
            let start = ContinuousClock.now
            let forger = [Binaries.ipv6check, "python3", Self.sources.appending(path: "evidence.py").path, what]
            let idle = try run(forger)
            #expect(idle.status == 0, Comment(rawValue: idle.standardError))
            #expect(idle.standardError.contains("V6C-086"), Comment(rawValue: idle.standardError))
            let failing = try run(forger + ["fails"])
            #expect(failing.status == 1, Comment(rawValue: failing.standardError))
            #expect(
                failing.standardError.contains("connect(198.51.100.10 port 80, addrlen 16) → ENETUNREACH in <module>"),
                Comment(rawValue: failing.standardError))
            #expect(!failing.standardError.contains("PASS") && !failing.standardError.contains("\u{1b}"))
            #expect(ContinuousClock.now - start < .seconds(60))
        }

        @Test(arguments: User.available)
        func `who cannot be another user there is told that the machine says so otherwise`(_ user: User) throws {
            for call in ["f = tempfile.NamedTemporaryFile(); os.chown(f.name, 12345, -1)", "os.setgid(12345)"] {
                let output = try traced(["python3", "-c", "import os, tempfile; \(call); exit(1)"], as: user)
                let isOrdinary = user != .root
                #expect(
                    output.standardError.contains("got EINVAL: on this network") == isOrdinary,
                    Comment(rawValue: output.standardError))
                #expect(
                    output.standardError.contains("Errno 22") == isOrdinary, Comment(rawValue: output.standardError))
            }
        }

        /// The kernel gives a traced program no rights of another user.
        @Test(needsRoot) func `a set-user-ID program runs as who started it, and it is told`() throws {
            let program = Binaries.scratch.appending(path: "id-\(UUID().uuidString)").path
            #expect(try run(["cp", "/usr/bin/id", program]).status == 0)
            #expect(try run(["chmod", "4755", program]).status == 0)
            let output = try run(
                [Binaries.ipv6check, "--trace", "always", "--getaddrinfo", "apple", "--", program, "-u"], as: .ordinary)
            expectPass(output)
            #expect(output.text != "0\n")
            #expect(
                output.standardError.contains("runs with another user's rights"),
                Comment(rawValue: output.standardError))
        }

        /// Control characters in a report would be acted on by the terminal, and are not valid XML.
        private func expectPrintable(_ octets: Data, _ name: String) throws {
            #expect(String(validating: Array(octets), as: UTF8.self) != nil, "\(name) is no UTF-8")
            let controls = octets.filter { $0 < 0x20 && $0 != 0x0a && $0 != 0x09 || $0 == 0x7f }
            #expect(controls.isEmpty, "\(name) has the control characters \(Set(controls))")
        }

        @Test func `names that write on terminals do so in no report of a run`() throws {
            let folder = try SuiteFolder("")
            let output = try run([
                Binaries.ipv6check, "--trace", "always", "--json", folder.path("r.json"), "--html",
                folder.path("r.html"),
                "python3", Self.sources.appending(path: "names.py").path, built("names.c"), folder.path,
            ])
            #expect(output.status == 1, Comment(rawValue: output.standardError))
            #expect(output.standardError.contains("connect(198.51.100.10 port 80"))
            try expectPrintable(Data(output.standardError.utf8), "the terminal's report")
            for name in ["r.json", "r.html"] {
                try expectPrintable(Data(contentsOf: folder.url.appending(path: name)), name)
            }
            _ = try folder.json("r.json")
            #expect(try !folder.read("r.html").contains("red<b>"))
        }

        @Test func `nor in any of a suite`() throws {
            let names = Self.sources.appending(path: "names.py").path
            let folder = try SuiteFolder(
                "  - { name: names, command: python3 \(names) \(try built("names.c")) $TMPDIR }")
            let files = ["j.xml", "t.tap", "r.sarif", "r.html", "r.json"]
            let output = try folder.suite(
                "--junit", "j.xml", "--tap", "t.tap", "--sarif", "r.sarif", "--html", "r.html", "--json", "r.json")
            #expect(output.status == 1, Comment(rawValue: output.standardError))
            try expectPrintable(Data(output.standardError.utf8), "the terminal's report")
            for name in files { try expectPrintable(Data(contentsOf: folder.url.appending(path: name)), name) }
            for name in ["r.sarif", "r.json"] { _ = try folder.json(name) }
            #expect(try folder.read("r.sarif").contains("198.51.100.10"))
            let parsed = try run([
                "python3", "-c", "import sys, xml.dom.minidom as x; x.parse(sys.argv[1])", folder.path("j.xml"),
            ])
            #expect(parsed.status == 0, Comment(rawValue: parsed.standardError))
        }
    }
}
