import ArgumentParser
import CheckRunner
import Findings
import Glibc

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a client and judge it (the default).",
        usage: "ipv6check [options] [--] CLIENT [ARGUMENTS …]")

    @OptionGroup var network: NetworkOptions

    @Option(help: "When to run the client on dual-stack too: always, on-failure or never.")
    var control = ControlPolicy.onFailure

    @Option(help: ArgumentHelp("End the client after this time: 30, 1.5, 30s, 5m.", valueName: "time"))
    var timeout: TimeLimit?

    @Option(help: ArgumentHelp("Write the report to this file as JSON.", valueName: "file"))
    var json: String?

    @Flag(name: .shortAndLong, help: "Say nothing where the client passes, one line where it fails.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Show every query and flow, and the output of the control run.")
    var verbose = false

    @Argument(
        parsing: .captureForPassthrough, help: ArgumentHelp("The program and its arguments.", valueName: "client"))
    var client: [String] = []

    func validate() throws {
        if quiet && verbose { throw ValidationError("--quiet and --verbose contradict each other; give one of them") }
    }

    func run() throws {
        var options = CheckOptions()
        network.apply(to: &options)
        options.command = client.first == "--" ? Array(client.dropFirst()) : client
        options.control = control
        options.timeout = timeout?.duration
        options.verbosity = quiet ? .quiet : verbose ? .verbose : .normal
        options.jsonFile = json
        if options.command.isEmpty {
            throw CheckFailure(Self.firstScreen, .nothingToRun)
        }
        let code = try Check(options, inheritance: Entry.inheritance).run()
        Glibc.exit(code.rawValue)
    }

    private static let firstScreen = """
        no client named

          ipv6check curl -fsS http://shop.test/    run a client on a simulated IPv6-only network
          ipv6check ./my-binary --its-options      the same with a program of yours
          ipv6check shell                          look around there
          ipv6check doctor                         what this machine can and cannot do

        ipv6check --help says the rest.
        """
}

/// A time on the command line: a number of seconds, or one with the unit `ms`, `s`, `m` or `h`.
struct TimeLimit: ExpressibleByArgument {
    var duration: Duration

    init?(argument: String) {
        let units: [(suffix: String, seconds: Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("", 1)]
        guard let unit = units.first(where: { argument.hasSuffix($0.suffix) }),
            let number = Double(argument.dropLast(unit.suffix.count)), number.isFinite, number > 0,
            number * unit.seconds <= 30 * 24 * 3600
        else { return nil }
        duration = .seconds(number * unit.seconds)
    }
}
