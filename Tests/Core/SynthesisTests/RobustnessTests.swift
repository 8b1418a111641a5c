// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The shim inside programs that are watched closely, or that interfere with it themselves.
@Suite("Robustness", .enabled(if: Host.isAvailable, Comment(rawValue: Host.requirement)))
struct RobustnessTests {
    /// A sample that takes every way through the shim: made answers, reviewed names, refusals, errors.
    static let questions = TableTests.questions.enumerated().filter { $0.offset % 97 == 0 }.map(\.element)
    static let input = questions.map(\.line).joined(separator: "\n") + "\n"
    static let environment = ["IPV6CHECK_PREF64": "64:ff9b::/96,2001:db8:122::/48"]

    private func ask(
        _ program: String? = nil, _ arguments: [String] = [], under wrapper: [String] = [], preload: [String] = [],
        before: [String] = [], environment: [String: String] = [:], input: String = input, timeout: Int = 120
    ) throws -> ProgramEnd {
        var host = Host.ipv6Only
        host.timeout = timeout
        host.hosts = Questions.hosts
        return try host.run(
            wrapper + [try program ?? Toolchain.helper("ask")] + arguments,
            preload: before + [try Toolchain.shim.get()] + preload,
            environment: Self.environment.merging(environment) { $1 }, input: input)
    }

    private func answers() throws -> String { try ask().successful().text }

    @Test
    func `Sixty-four threads that ask at once get what one gets`() throws {
        #expect(try ask(nil, ["threads", "64"]).successful().text == answers())
    }

    @Test(arguments: ["fork", "vfork"])
    func `A child gets what its parent gets`(way: String) throws {
        #expect(try ask(nil, [way]).successful().text == answers())
    }

    @Test(.enabled(if: isInstalled("valgrind"), "needs valgrind"), arguments: ["fork", "threads"])
    func `Valgrind finds no leak and no bad access`(way: String) throws {
        let outcome = try ask(nil, [way, "4"], under: Self.valgrind).successful()
        #expect(outcome.text == (try answers()))
        #expect(!outcome.standardError.contains("lost:"))
    }

    /// Every seventh question of the table, so that each node, service, family, flag and socket type comes with others: for the whole,
    /// valgrind takes 20 seconds of a processor with each profile. TableTests asks the whole table without valgrind.
    private static let sample =
        (Questions.table.enumerated().filter { $0.offset % 7 == 0 }.map(\.element) + Questions.corners).map(\.line)
        .joined(separator: "\n") + "\n"

    @Test(.enabled(if: isInstalled("valgrind"), "needs valgrind"), arguments: TableTests.profiles)
    func `Valgrind finds no leak and no bad access in a sample of the table`(profile: String) throws {
        let environment = ["IPV6CHECK_GETADDRINFO": profile]
        let outcome = try ask(
            under: Self.valgrind, environment: environment, input: Self.sample, timeout: 600
        ).successful()
        #expect(outcome.text == (try ask(environment: environment, input: Self.sample).successful().text))
        #expect(!outcome.standardError.contains("lost:"))
    }

    /// The preload is for the program: valgrind hands it on, and is not loaded with it.
    private static let valgrind = [
        "valgrind", "-q", "--leak-check=full", "--show-leak-kinds=all", "--errors-for-leak-kinds=definite,indirect",
        "--track-fds=yes", "--error-exitcode=99",
    ]

    @Test
    func `A program built with AddressSanitizer runs, and its leak check is content`() throws {
        let program = try Toolchain.helper("ask", as: "ask-asan", flags: ["-pthread", "-fsanitize=address"])
        let runtime = try run(["/usr/bin/env", "cc", "-print-file-name=libasan.so"]).text
            .trimmingCharacters(in: .whitespacesAndNewlines)
        // gcc's runtime insists on being the first library; clang's is in the program.
        #expect(try ask(program, before: [runtime]).successful().text == answers())
    }

    static let jemalloc = [
        "/usr/lib/x86_64-linux-gnu/libjemalloc.so.2", "/usr/lib/aarch64-linux-gnu/libjemalloc.so.2",
        "/usr/lib64/libjemalloc.so.2",
    ].first { FileManager.default.fileExists(atPath: $0) }

    @Test(.enabled(if: jemalloc != nil, "needs libjemalloc2"))
    func `A preloaded jemalloc, before and after`() throws {
        let jemalloc = try #require(Self.jemalloc)
        let expected = try answers()
        #expect(try ask(preload: [jemalloc]).successful().text == expected)
        #expect(try ask(before: [jemalloc]).successful().text == expected)
    }

    @Test(.enabled(if: isInstalled("proxychains4"), "needs proxychains4"))
    func `A preloaded proxychains gets the calls that were its own`() throws {
        let outcome = try ask(under: ["proxychains4", "-q"], input: "198.51.100.10\t80\t0,1,0,0\n").successful()
        #expect(outcome.text.hasPrefix("0 "))
    }

    @Test
    func `Answers from a libc that counts references in one allocation are freed once and wholly`() throws {
        let library = try Toolchain.build(
            Toolchain.helpers.appending(path: "slab.c"), as: "slab.so", flags: ["-shared", "-fPIC"])
        let input = """
            198.51.100.10\t80\t0,0,0,2
            198.51.100.10\t80\t10,1,0,24
            2001:db8::1\t80\t0,0,0,0
            127.0.0.1\t80\t0,0,0,0

            """
        let outcome = try ask(nil, ["times", "3"], preload: [library], input: input).successful()
        #expect(outcome.standardError == "")
        let lines = outcome.text.split(separator: "\n")
        #expect(lines.count == 12)
        let expected = """
            0 0/10/2/17/28/80/64:ff9b::c633:640a/0/0/- 0/10/1/6/28/80/64:ff9b::c633:640a/0/0/- \
            0/10/2/17/28/80/2001:db8:122:c633:64:a00::/0/0/- 0/10/1/6/28/80/2001:db8:122:c633:64:a00::/0/0/- \
            0/2/2/17/16/80/198.51.100.10/0/0/- 0/2/1/6/16/80/198.51.100.10/0/0/-
            """
        #expect(lines[0] == expected)
    }

    @Test(.enabled(if: isInstalled("python3"), "needs python3"), arguments: [("jump", 2), ("cancel", 1)])
    func `A client that leaves a lookup in the middle gets its next one synthesised`(way: String, lookups: Int) throws {
        var host = Host.ipv6Only
        host.companion = [
            "python3", Toolchain.helpers.appending(path: "nameserver.py").path, "/dev/null", "silent", "0",
        ]
        let outcome = try host.run(
            [try Toolchain.helper("leave"), way, "slow.test", "198.51.100.10"], preload: [try Toolchain.shim.get()],
            environment: Self.environment
        ).successful()
        #expect(outcome.text == String(repeating: "64:ff9b::c633:640a\n", count: lookups))
    }

    @Test(.enabled(if: isInstalled("musl-gcc"), "needs musl-tools"))
    func `A program built with musl gets the answers, from the shim built with musl`() throws {
        _ = try Toolchain.shim.get()
        let program = try Toolchain.build(
            Toolchain.helpers.appending(path: "ask.c"), as: "ask-musl", with: ["musl-gcc", "-std=c11", "-g"],
            flags: ["-pthread"])
        let shim = Toolchain.products.appending(path: "libipv6synth-musl.so").path
        let outcome = try Host.ipv6Only.run(
            [program, "threads", "64"], preload: [shim], environment: Self.environment,
            input: "198.51.100.10\t80\t0,1,0,2\n"
        ).successful()
        #expect(
            outcome.text
                == "0 0/10/1/6/28/80/64:ff9b::c633:640a/0/0/- 0/10/1/6/28/80/2001:db8:122:c633:64:a00::/0/0/- "
                + "0/2/1/6/16/80/198.51.100.10/0/0/-\n")
    }
}
