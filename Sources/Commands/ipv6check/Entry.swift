// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CheckRunner
import Evidence
import Glibc
import Reports
import Sandbox
import SuiteRunner
import Terminal
import Text

package enum Entry {
    /// The state inherited from the user's shell; taken at its first use in main, before anything else is done.
    static let inheritance = Inheritance.take()

    package static func main() {
        if let obstacle = Machine.obstacle {
            Console.write("ipv6check: \(obstacle)\n")
            exit(CheckRunner.ExitCode.machineCannot.rawValue)
        }
        // This executable as a process that it started itself; such a process has nothing to parse.
        ImportProcess.runIfAsked()
        LinesProcess.runIfAsked()
        FixtureProcess.runIfAsked()
        let runProcess = RunProcess.claim()
        _ = inheritance
        if let runProcess { runProcess.run(inheritance) }
        var words = CommandWords(
            Array(CommandLine.arguments.dropFirst()), running: CheckCommand.name,
            subcommands: IPv6Check.subcommands + ["help"],
            takingValue: CheckCommand.optionsTakingValue)
        // It has other options than a check, and `CommandWords` knows only those of a check.
        if CommandLine.arguments.dropFirst().first == CanariesCommand.option {
            words.subcommand = CanariesCommand.option
            words.options = Array(CommandLine.arguments.dropFirst(2))
        }
        // The defaults precede the options of the command line, as the last one counts.
        let defaults = words.subcommand == nil ? DefaultOptions.words(inheritance.environment) : []
        words.options = defaults + words.options
        do {
            try IPv6Check.run(words)
        } catch let failure as CheckFailure {
            Console.write("ipv6check: \(failure)\n")
            exit(failure.exitCode.rawValue)
        } catch {
            let isCleanExit = IPv6Check.exitCode(for: error) == .success
            let message = UsageMessage.of(
                error, in: IPv6Check.self, unnamed: [CheckCommand.name, SuiteRunCommand.fullName])
            if isCleanExit {
                print(message)
                Glibc.exit(0)
            }
            Console.write(message + "\n")
            if !defaults.isEmpty {
                Console.write(
                    "\(DefaultOptions.variable) stands before the options: \(defaults.joined(separator: " "))\n")
            }
            exit(CheckRunner.ExitCode.usage.rawValue)
        }
    }
}

struct IPv6Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ipv6check",
        abstract: "Says whether a program works on an IPv6-only network, and why not.",
        version: ProgramVersion.current,
        groupedSubcommands: [
            CommandGroup(name: "Check a program", subcommands: [CheckCommand.self]),
            CommandGroup(name: "Check a server", subcommands: [ListenCommand.self]),
            CommandGroup(
                name: "Check many",
                subcommands: [SuiteCommand.self, MatrixCommand.self, EyeballsCommand.self, MergeCommand.self]),
            CommandGroup(name: "Look without running", subcommands: [ScanCommand.self, ResolveCommand.self]),
            CommandGroup(name: "Prepare", subcommands: [RecordCommand.self, ShellCommand.self]),
            CommandGroup(name: "Ask", subcommands: [ExplainCommand.self, DoctorCommand.self]),
        ])

    /// The names of the subcommands, in the order of the help. A literal, like `CheckCommand.optionsTakingValue`: querying the commands
    /// builds the whole help.
    static let subcommands = [
        CheckCommand.name, "listen", "suite", "matrix", "eyeballs", "merge", "scan", "resolve", "record", "shell",
        "explain",
        "doctor",
    ]

    /// The subcommands for the help of the check, which is the help of `ipv6check`.
    static var overview: String {
        configuration.groupedSubcommands.dropFirst().map { group in
            let lines = group.subcommands.map { command in
                let name = command.configuration.commandName ?? ""
                return wrapped("    \(name.padded(to: 9))\(command.configuration.abstract)", at: 80, indent: 13)
            }
            return (["  \(group.name):"] + lines).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// Runs a subcommand, or the check.
    static func run(_ words: CommandWords) throws {
        // These two avoid the parser, which takes milliseconds before it has read a word.
        if words.subcommand == nil {
            if let plain = PlainOptions.read(words.options) {
                return try CheckCommand.checkPlainly(words.client, plain)
            }
            if words.options == ["--version"] { return print(ProgramVersion.current) }
        }
        if words.subcommand == "help", words.options.isEmpty { return print(helpMessage(for: CheckCommand.self)) }
        if words.subcommand == SuiteCommand.configuration.commandName, ["-h", "--help"].contains(words.options.first) {
            return print(helpMessage(for: SuiteRunCommand.self))
        }
        if words.subcommand == CanariesCommand.option {
            if ["-h", "--help"].contains(words.options.first) { return print(CanariesCommand.helpMessage()) }
            return try CanariesCommand.parse(words.options).run()
        }
        // scripts/package makes the manual from the output of this option.
        let isOfTheWhole = words.options == ["--experimental-dump-help"]
        var command = try parseAsRoot(
            (words.subcommand.map { [$0] } ?? (isOfTheWhole ? [] : [CheckCommand.name]))
                + words.options)
        if var check = command as? CheckCommand {
            check.client = words.client
            try check.run()
        } else {
            try command.run()
        }
    }
}
