// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CheckRunner
import Foundation
import Terminal
import Testing

@testable import ipv6check

@Suite struct `The words of a command line` {
    private func split(_ words: String...) -> CommandWords {
        CommandWords(
            words, running: "run", subcommands: ["shell", "resolve", "doctor", "help"],
            takingValue: ["--timeout", "--json"])
    }

    private func expect(
        _ words: CommandWords, options: [String], client: [String] = [], subcommand: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(words.options == options, sourceLocation: sourceLocation)
        #expect(words.client == client, sourceLocation: sourceLocation)
        #expect(words.subcommand == subcommand, sourceLocation: sourceLocation)
    }

    @Test func `are the client's from its name on`() {
        expect(
            split("--timeout", "2", "curl", "--timeout", "9", "--", "x"), options: ["--timeout", "2"],
            client: ["curl", "--timeout", "9", "--", "x"])
        expect(split("-qv", "--json=x", "a", "-q"), options: ["-qv", "--json=x"], client: ["a", "-q"])
        expect(split("run", "--quiet", "run"), options: ["--quiet"], client: ["run"])
        expect(split("--timeout", "2", "run", "shell"), options: ["--timeout", "2"], client: ["shell"])
        expect(split("-", "a"), options: [], client: ["-", "a"])
    }

    @Test func `are the client's behind two dashes`() {
        expect(split("--quiet", "--", "-odd", "--"), options: ["--quiet"], client: ["-odd", "--"])
        expect(split("--", "shell"), options: [], client: ["shell"])
        expect(split("run", "--", "run"), options: [], client: ["run"])
    }

    @Test func `are no client's where there is none`() {
        expect(split(), options: [])
        expect(split("--timeout"), options: ["--timeout"])
        expect(split("--json", "-"), options: ["--json", "-"])
        expect(split("--help"), options: ["--help"])
    }

    @Test func `name a subcommand before or behind its options`() {
        expect(split("shell", "--json", "x"), options: ["--json", "x"], subcommand: "shell")
        expect(split("--json", "x", "shell", "-v"), options: ["--json", "x", "-v"], subcommand: "shell")
        expect(split("--json", "shell"), options: ["--json", "shell"])
    }

    @Test func `a hundred thousand are told apart in no time`() {
        let client = (0..<100_000).map { "--option-\($0)" }
        let start = ContinuousClock().now
        let words = CommandWords(
            ["--quiet", "program"] + client, running: "run", subcommands: [], takingValue: [])
        #expect(words.client.count == 100_001)
        #expect(ContinuousClock().now - start < .seconds(30))
    }

    /// Compares the list with the parser's own list of its options (`--experimental-dump-help`).
    @Test func `options that take a value are those of the declaration`() throws {
        struct Tool: Decodable { var command: Command }
        struct Command: Decodable { var arguments: [Argument]? }
        struct Argument: Decodable {
            var kind: String
            var names: [Name]?
        }
        struct Name: Decodable {
            var kind: String
            var name: String
        }
        let dump = try JSONDecoder().decode(Tool.self, from: Data(CheckCommand._dumpHelp().utf8))
        let options = (dump.command.arguments ?? []).filter { $0.kind == "option" }.flatMap { $0.names ?? [] }
        #expect(options.count > 5)
        #expect(options.allSatisfy { $0.kind == "long" }, "a short option with a value is not looked for")
        #expect(Set(CheckCommand.optionsTakingValue) == Set(options.map { "--" + $0.name }))
    }

    @Test func `subcommands are those of the declaration`() {
        #expect(IPv6Check.subcommands == UsageMessage.subcommands(of: IPv6Check.self))
    }

    @Test(arguments: [
        [], ["--simulator", "unix:/run/nat64sim/attach.sock"], ["--simulator=own"], ["--simulator=unix:/a=b"],
        ["--simulator", "x"], ["--quiet"], ["-q"], ["-v", "--verbose"], ["--once", "--once"], ["--json", "-"],
        ["--json=-"],
        ["--json", "a.json", "--html=b=c.html", "--pcap", "d.pcap"], ["--network", "dual-stack"],
        ["--network=dual-stack 5s, none 1s, nat64", "--timeout", "1.5"],
        ["--timeout=30m", "--once", "--control", "never"],
        ["--world", "world.yaml", "--prefix", "2001:db8::/96", "--uplink", "host"],
        ["--trace", "always", "--control=on-failure", "--color", "never"], ["--prefix", "nonsense"],
        ["--getaddrinfo", "linux", "--fail-on=warning"],
    ])
    func `what is read without the parser means the same to the parser`(_ words: [String]) throws {
        let parsed = try #require(try IPv6Check.parseAsRoot([CheckCommand.name] + words) as? CheckCommand)
        let plain = try #require(PlainOptions.read(words))
        #expect(String(reflecting: try parsed.options()) == String(reflecting: plain))
        #expect(parsed.runs.networks == nil)
    }

    @Test(arguments: [
        ["--simulator"], ["--simulator="], ["--simulator", ""], ["--simulator", "--quiet"], ["--simulators", "x"],
        ["--quiet", "x"], ["--quiet=yes"], ["-qv"], ["-q", "--verbose"], ["--once", "--control", "always"],
        ["--json", "-", "--html", "-"], ["--json", "a", "--json", "b"], ["--network", "x"], ["--timeout", "0"],
        ["--uplink", "guest"], ["--trace", "sometimes"], ["--uplink", "host", "--allow", "10.0.0.1"],
        ["--networks", "all"],
        ["--help"], ["--json=-x"], ["--json", "-x"], ["=x"], ["--mtu", "1280"],
    ])
    func `what else is asked for is the parser's`(_ words: [String]) {
        #expect(PlainOptions.read(words) == nil)
    }
}
