// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The conventions of command-line tools.
    @Suite struct `Manners` {
        private func nat64sim(_ arguments: String...) throws -> Output { try run([Binaries.nat64sim] + arguments) }

        private func expect(
            _ output: Output, status: Int32, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
        ) {
            #expect(output.status == status, sourceLocation: sourceLocation)
            #expect(
                output.standardError.contains(text), Comment(rawValue: output.standardError),
                sourceLocation: sourceLocation)
        }

        // MARK: Words

        @Test(arguments: [["--help"], ["-h"], ["run", "--help"], ["--quiet", "--help"], ["help"]])
        func `Help is the help of the whole`(words: [String]) throws {
            let output = try run([Binaries.ipv6check] + words)
            #expect(output.status == 0)
            #expect(output.text.contains("OVERVIEW: Says whether a program works"))
            #expect(output.text.contains("--timeout <time>"))
        }

        @Test(arguments: [
            ["--nonsense", "true"], ["run", "--nonsense"], ["--timeout"], ["--network", "ipv4", "true"],
        ])
        func `A usage error names the help that there is`(words: [String]) throws {
            expect(try run([Binaries.ipv6check] + words), status: 2, "See 'ipv6check --help' for more information.")
        }

        @Test(arguments: [
            "suite", "matrix", "eyeballs", "merge", "scan", "resolve", "record", "shell", "explain", "doctor",
        ])
        func `The help of the whole names every command, and each has one of its own`(command: String) throws {
            let overview = try run([Binaries.ipv6check, "--help"]).text
            #expect(overview.contains("\n    \(command) "))
            let help = try run([Binaries.ipv6check, command, "--help"])
            #expect(help.status == 0)
            #expect(help.text.contains("USAGE: ipv6check \(command)"))
            for line in (overview + help.text).split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        }

        @Test func `A usage error has one line of usage, and names the help of the command that was typed`() throws {
            let error = try run([Binaries.ipv6check, "--nonsense", "true"]).standardError
            #expect(error.contains("\nUsage: ipv6check [options] [--] CLIENT [ARGUMENTS …]\n  See 'ipv6check --help'"))
            expect(
                try ipv6check("suite", "--nonsense"), status: 2, "See 'ipv6check suite --help' for more information.")
        }

        @Test func `Options of the environment come before those of the command line, and are said`() throws {
            let environment = ["IPV6CHECK_OPTIONS": " --network strict\t--timeout 20s"]
            expect(
                try ipv6check("true", environment: environment), status: 0,
                "IPV6CHECK_OPTIONS: --network strict --timeout 20s.")
            let last = try ipv6check("--network", "ipv4-only", "true", environment: environment)
            expect(last, status: 0, "works on ipv4-only")
            expect(
                try ipv6check("true", environment: ["IPV6CHECK_OPTIONS": "--nonsense"]), status: 2,
                "IPV6CHECK_OPTIONS stands before the options: --nonsense")
            let none = try ipv6check("resolve", "shop.test", environment: ["IPV6CHECK_OPTIONS": "--nonsense"])
            #expect(none.status == 0, Comment(rawValue: none.standardError))
            #expect(try ipv6check("--version", environment: environment).status == 0)
        }

        @Test func `A misspelt option is told from the one that was meant`() throws {
            expect(try ipv6check("--jsn", "x", "true"), status: 2, "Did you mean '--json'?")
        }

        @Test func `A misspelt command is told from the one that was meant`() throws {
            expect(try ipv6check("docter"), status: 2, "docter: not found (did you mean ipv6check doctor?)")
            expect(try nat64sim("stauts"), status: 2, "stauts is no command of nat64sim (did you mean status?)")
        }

        @Test func `A client that is named like a misspelt command is run`() throws {
            let folder = Binaries.scratch.appending(path: "named")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let program = folder.appending(path: "docter")
            try Data("#!/bin/sh\necho it is in\n".utf8).write(to: program)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            let output = try ipv6check("docter", environment: ["PATH": "\(folder.path):\(path)"])
            expectPass(output)
            #expect(output.text == "it is in\n")
        }

        @Test func `The client's options are its own`() throws {
            let output = try ipv6check(
                "--timeout", "20", "--once=x", "sh", "-c", "echo \"$@\"", "sh", "--timeout", "never", "--", "--json")
            #expect(output.status == 2, "--once=x is none of ours")
            let good = try ipv6check(
                "--timeout=20", "sh", "-c", "echo \"$@\"", "sh", "--timeout", "never", "--", "--json")
            expectPass(good)
            #expect(good.text == "--timeout never -- --json\n")
        }

        /// 20,000 arguments once took eight seconds, and the time grew with the square of their number.
        @Test func `Many arguments take no time`() throws {
            let script = "ulimit -s 262144 && \(Binaries.ipv6check) --quiet sh -c 'echo $#' sh $(seq 200000)"
            let output = try run(["bash", "-c", script], seconds: 30)
            #expect(output.status == 0, Comment(rawValue: output.standardError))
            #expect(output.text == "200000\n")
        }

        @Test(arguments: ["0", "0x1", "1e1s", "+5", "721h", "never"])
        func `A time limit is written as everywhere else`(time: String) throws {
            expect(try ipv6check("--timeout", time, "true"), status: 2, "give a time of up to 30 days")
        }

        // MARK: Files

        @Test func `A path that leads nowhere is said as it was given`() throws {
            let output = try ipv6check("./nosuchfile")
            #expect(output.status == 2)
            #expect(
                output.standardError == "ipv6check: ./nosuchfile: not found; give a program of PATH or a path to one\n")
        }

        @Test func `A directory is no program that lacks a mode`() throws {
            let output = try ipv6check(Binaries.scratch.path)
            expect(output, status: 2, "is a directory")
            #expect(!output.standardError.contains("chmod"))
        }

        @Test func `A scenario that cannot be read is a usage error in plain words`() throws {
            let missing = try nat64sim("dns64-check", "nosuch")
            #expect(missing.status == 2)
            #expect(missing.standardError == "nat64sim: nosuch: there is no such file\n")
            expect(try nat64sim("dns64-check", "/tmp"), status: 2, "/tmp: is a directory")
        }

        @Test func `Scenarios that were all skipped are no success`() throws {
            // The scenario asks from an address that no machine has.
            let scenario = Binaries.root.appending(path: "fixtures/dns64/dual-stack.scenario").path
            let output = try nat64sim("dns64-check", "@127.0.0.1#1", scenario)
            expect(output, status: 4, "nothing was shown: every file was skipped")
        }

        @Test func `The DNS log begins anew with each run, and may go to the standard output`() throws {
            let file = Binaries.scratch.appending(path: "dns.log")
            try Data("of an earlier run\n".utf8).write(to: file)
            let daemon = try RunningDaemon(options: ["--dns-log", file.path])
            expectPass(try daemon.check("curl", "-fsS", "http://shop.test/"))
            daemon.end()
            let log = try String(contentsOf: file, encoding: .utf8)
            #expect(!log.contains("of an earlier run"))
            #expect(log.contains("shop.test"))
            expect(try nat64sim("serve", "--dns-log", "--config", "/nosuch.yaml"), status: 2, "/nosuch.yaml")
        }

        // MARK: Colours

        @Test func `Colours come where they are asked for, and only there`() throws {
            let red = "\u{1b}[1;32mPASS"
            let plain = ["NO_COLOR": "", "FORCE_COLOR": "", "CLICOLOR": "", "CLICOLOR_FORCE": ""]
            #expect(try !ipv6check("true", environment: plain).standardError.contains("\u{1b}"))
            #expect(try ipv6check("--color", "always", "true", environment: plain).standardError.contains(red))
            #expect(
                try ipv6check("true", environment: plain.merging(["FORCE_COLOR": "1"]) { $1 }).standardError.contains(
                    red))
            let forced = plain.merging(["CLICOLOR_FORCE": "1"]) { $1 }
            #expect(try ipv6check("true", environment: forced).standardError.contains(red))
            #expect(try !ipv6check("--color=never", "true", environment: forced).standardError.contains("\u{1b}"))
        }
    }
}
