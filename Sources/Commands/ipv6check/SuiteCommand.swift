// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CheckRunner
import Evidence
import Glibc
import Sandbox
import SuiteRunner
import Suites
import Terminal
import Text
import Topology

/// `ipv6check suite`: its own subcommands are `init`, `add` and `check`; a file of such a name is `./init`. Without a subcommand it runs a
/// suite, and its help is that of the run.
struct SuiteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "suite",
        abstract: "Run a test suite; each test gets its own simulated network.",
        subcommands: [SuiteRunCommand.self, SuiteInitCommand.self, SuiteAddCommand.self, SuiteCheckCommand.self],
        defaultSubcommand: SuiteRunCommand.self)
}

struct SuiteRunCommand: ParsableCommand {
    static let fullName = "suite run"
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run a test suite; each test gets its own simulated network.",
        usage: "ipv6check suite [options] [FILE]",
        discussion: """
            FILE is ipv6check.yaml or .config/ipv6check.yaml, here or in a folder above. A test that fails is run again on the \
            same network, and then on dual-stack; known failures are accepted for a time.

            RESULTS is a file that --results wrote; so is that of --timings.

            Other commands; 'ipv6check suite COMMAND --help' has more of each:
              ipv6check suite init [FILE]
              ipv6check suite add [--file FILE] [--name NAME] -- COMMAND …
              ipv6check suite check [FILE]

            Exit codes:
              0    as expected
              1    a case is red for its network
              2    wrong usage, or a file with mistakes
              3    only cases that fail on dual-stack too are red
              4    nothing ran
              5    this machine cannot make the network (see ipv6check doctor)
              124  --suite-timeout was reached
            """)

    @Argument(help: "The suite file.")
    var file: String?

    @Option(
        help: ArgumentHelp(
            "Only cases of this name, such as 'fetch*@nat64', or tests, such as fetch (repeatable; * and ?).",
            valueName: "pattern"))
    var filter: [String] = []

    @Option(help: ArgumentHelp("Only tests with this tag (repeatable).", valueName: "tag"))
    var tag: [String] = []

    @Option(
        help: ArgumentHelp(
            "Only cases on this network, or on these as the suite has them: 'dual-stack 5s, nat64' (repeatable).",
            valueName: "network"),
        completion: .list(Network.allCases.map(\.rawValue)), transform: { try NetworkSchedule($0) })
    var network: [NetworkSchedule] = []

    @Flag(help: "List the cases, and run nothing.")
    var list = false

    @Flag(help: "Show what would be run, and run nothing.")
    var dryRun = false

    @OptionGroup var parallel: JobsOption

    @Option(help: ArgumentHelp("Start no further case after this many red ones.", valueName: "number"))
    var maxFail: Int?

    @Option(
        help: ArgumentHelp(
            "Only this part of the tests: 2/4; or auto, or auto/4, from what the CI service sets.", valueName: "k/n"))
    var shard: String?

    @Option(
        help: ArgumentHelp(
            "Cut the shards by how long the tests took there: the longest first, to the emptiest shard.",
            valueName: "results"))
    var timings: String?

    @Option(help: ArgumentHelp("Only the cases that were red there.", valueName: "results"))
    var rerun: String?

    @Option(
        help: ArgumentHelp("Begin a red case anew, so often at most (default: as the suite says).", valueName: "number")
    )
    var retries: Int?

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp("Run each case so often, to find flaky ones.", valueName: "number"))
    var repeats: Int?

    @Option(help: ArgumentHelp("The limit of each run (default: as the suite says).", valueName: "time"))
    var timeout: WrittenDuration?

    @Option(help: ArgumentHelp("End what runs after this time, and count the rest as not run.", valueName: "time"))
    var suiteTimeout: WrittenDuration?

    @Flag(help: "A known failure that does not occur is not red.")
    var allowFixed = false

    @Option(
        help: ArgumentHelp(
            "A file with accepted findings (default: the suite's); update adds to it, prune removes from it, none ignores it (repeatable).",
            valueName: "file|update|prune|none"))
    var baseline: [String] = []

    @OptionGroup var place: SimulatorOption

    @Option(help: ArgumentHelp("The day by which known failures are judged: 2027-03-31.", valueName: "day"))
    var today: String?

    @Option(
        help: ArgumentHelp(
            "Keep the files of each case in this folder: stdout, stderr, and what it left in $OUT.", valueName: "folder"
        ))
    var output: String?

    @Option(
        help: ArgumentHelp(
            "Write each event to this file as it happens, one line of JSON (for ipv6check merge).", valueName: "file"))
    var results: String?

    @OptionGroup(title: "Report")
    var reports: ReportOptions

    @OptionGroup(title: "Report")
    var colour: ColourOptions

    func validate() throws {
        if let maxFail, maxFail < 1 { throw ValidationError("--max-fail is a number from 1") }
        if let retries, !(0...10).contains(retries) { throw ValidationError("--retries is a number from 0 to 10") }
        if let repeats, !(1...1000).contains(repeats) { throw ValidationError("--repeat is a number from 1 to 1000") }
        if let repeats, repeats > 1, retries ?? 0 > 0 {
            throw ValidationError("--repeat looks for red cases, and --retries forgives them; give one of them")
        }
        for (name, time) in [("--timeout", timeout), ("--suite-timeout", suiteTimeout)] {
            if let time, time.duration <= .zero { throw ValidationError("\(name) is more than 0") }
        }
        if timings != nil, shard == nil { throw ValidationError("--timings cuts shards: give --shard as well") }
        if let today, Day(today) == nil { throw ValidationError("--today is a day such as 2027-03-31, not \(today)") }
        if list && dryRun { throw ValidationError("--list and --dry-run contradict each other; give one of them") }
    }

    func run() throws {
        let source = try SuiteSource(file)
        var options = SuiteOptions()
        options.selection = CaseSelection(patterns: filter, tags: tag, networks: network)
        options.jobs = parallel.jobs
        options.failureLimit = maxFail
        options.shard = try shard.map { try ShardChoice.shard($0, Entry.inheritance.environment) }
        options.timings = timings
        options.rerun = rerun
        options.retries = retries
        options.repeats = repeats ?? 1
        options.timeout = timeout?.duration
        options.suiteTimeout = suiteTimeout?.duration
        options.allowsFixed = allowFixed
        options.today = today.flatMap { Day($0) }
        options.simulator = place.simulator
        options.baseline = try baselineChoice()
        options.output = output
        options.reports = reports.paths(results: results)
        options.annotations = reports.annotations
        options.colour = colour.color
        let suite = try SuiteRun(source, options, inheritance: Entry.inheritance)
        if list || dryRun {
            for (element, skip) in suite.plan {
                let rest = dryRun ? "  \(CommandText.of(element.test.command))" : ""
                print(element.id + rest + (skip.map { "  # skip: \($0)" } ?? ""))
            }
            return
        }
        Glibc.exit(try suite.run())
    }

    private func baselineChoice() throws -> BaselineChoice {
        var choice = BaselineChoice()
        for word in baseline {
            if let action = BaselineChoice.Action(rawValue: word) {
                if choice.action != nil { throw ValidationError("--baseline takes one of update, prune and none") }
                choice.action = action
            } else {
                if choice.path != nil { throw ValidationError("--baseline takes one file") }
                choice.path = word
            }
        }
        return choice
    }
}

struct SuiteInitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Write a first suite file.", usage: "ipv6check suite init [FILE]")

    @Argument(help: "Where to write it.")
    var file = "ipv6check.yaml"

    func run() throws {
        try FirstSuite.write(to: file)
        print("\(file): written; edit it, and run: ipv6check suite\(file == "ipv6check.yaml" ? "" : " \(file)")")
    }
}

struct SuiteAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Run a command, and add it to the suite file as a test.",
        usage: "ipv6check suite add [--file FILE] [--name NAME] -- COMMAND …",
        discussion: """
            The command runs once on nat64, as a test would: in the suite file's folder, without standard input. If it works, it \
            becomes the last test of the file; what else is in the file stays as it is. Without a file one is written.
            """)

    @Option(help: ArgumentHelp("The suite file.", valueName: "file"))
    var file: String?

    @Option(help: ArgumentHelp("What the test is called (default: from the command).", valueName: "name"))
    var name: String?

    @Argument(parsing: .postTerminator, help: "The command.")
    var command: [String]

    func validate() throws {
        if command.isEmpty { throw ValidationError("give a command: ipv6check suite add -- ./shop fetch") }
    }

    func run() throws {
        let addition = SuiteAddition(path: file, name: name, command: command)
        print(try addition.run(Entry.inheritance))
    }
}

struct SuiteCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Read a suite file, and say everything that is wrong with it.",
        usage: "ipv6check suite check [FILE]")

    @Argument(help: "The suite file.")
    var file: String?

    func run() throws {
        let source = try SuiteSource(file)
        let suite = try SuiteRun(source, SuiteOptions(), inheritance: Entry.inheritance)
        let counts = [counted(source.suite.tests.count, "test"), counted(suite.plan.count, "case")]
        print("\(source.path): \(counts.joined(separator: ", ")); no mistakes")
    }
}
