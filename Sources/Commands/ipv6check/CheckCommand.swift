import ArgumentParser
import CheckRunner
import Diagnosis
import Evidence
import Glibc
import Reports
import Terminal
import Text

/// The check itself, which is what `ipv6check` without a subcommand does; its help is the help of the whole.
struct CheckCommand: ParsableCommand {
    static let name = "run"
    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Says whether a program works on an IPv6-only network, and why not.",
        usage: """
            ipv6check [options] [--] CLIENT [ARGUMENTS …]
            ipv6check suite [options] [FILE]
            ipv6check merge RESULTS …
            ipv6check record --output FILE [options] CLIENT [ARGUMENTS …]
            ipv6check shell [options]
            ipv6check resolve [options] NODE [SERVICE]
            ipv6check doctor
            """,
        discussion: """
            Runs CLIENT on a simulated network that has IPv6 only, with a DNS64 and a NAT64 on the way to the IPv4 hosts \
            of a made-up world. A client that fails is run again: once more there, which tells a flaky program, and then \
            on a dual-stack network, which tells a broken program from an IPv6 problem (--once: never). The report goes to the standard error stream; the client's own output stays its own.

              ipv6check curl -fsS http://shop.test/
              ipv6check --json report.json ./my-binary --its-options

            Exit codes:
            \(CheckRunner.ExitCode.allCases.map { "  \("\($0.rawValue)".padded(to: 5))\($0.meaning)" }.joined(separator: "\n"))
            """)

    /// Behind these the next word is a value. Written down, and not asked of the parser at each start: that takes two milliseconds.
    static let optionsTakingValue: Set<String> = [
        "--color", "--control", "--dns-fault", "--fail-on", "--fault", "--getaddrinfo", "--html", "--json", "--mtu",
        "--network", "--pcap",
        "--prefix",
        "--simulator", "--timeout", "--trace", "--world", "--world-mtu",
    ]

    @OptionGroup var network: NetworkOptions

    @Option(help: "When to run the client on dual-stack too: always, on-failure or never.")
    var control = ControlPolicy.onFailure

    @Option(
        help:
            "When to trace the client's system calls, for the line that fails: always, on-failure (in the further runs) or never."
    )
    var trace = TracePolicy.onFailure

    @Flag(help: "Run the client only once, even if it fails: for one that must not run twice.")
    var once = false

    @Flag(help: "Run a client that passes again as on a plain Linux host, without literal synthesis.")
    var alsoLinux = false

    @Option(
        help: ArgumentHelp("Kill the client after this time: 30, 1.5, 30s, 5m.", valueName: "time"),
        transform: WrittenDuration.within(.milliseconds(1)...(.seconds(30 * 86_400)), said: "of up to 30 days"))
    var timeout: WrittenDuration?

    @Option(
        help: ArgumentHelp(
            "Write the report to this file as JSON; - is standard output, and what the client writes there goes to standard error.",
            valueName: "file"))
    var json: String?

    @Option(help: ArgumentHelp("Write the report to this file as a page of HTML.", valueName: "file"))
    var html: String?

    @Option(
        help: ArgumentHelp(
            "Fail a client that works, too, if there is a finding of this level or a heavier one: error, warning or note.",
            valueName: "level"))
    var failOn: Severity?

    @Flag(name: .shortAndLong, help: "Print nothing if the client passes, one line if it fails.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Show every query and flow, and the output of further runs.")
    var verbose = false

    @OptionGroup var colour: ColourOptions

    /// For the help; the parser never sees these words (`CommandWords`).
    @Argument(help: ArgumentHelp("The program and its arguments.", valueName: "client"))
    var client: [String] = []

    func validate() throws {
        if once && (control == .always || alsoLinux) {
            throw ValidationError("--once means one run; leave out --control always and --also-linux, or --once")
        }
        if json == "-" && html == "-" { throw ValidationError("--json and --html cannot both be standard output") }
        if quiet && verbose { throw ValidationError("--quiet and --verbose contradict each other; give one of them") }
    }

    func run() throws {
        var options = CheckOptions()
        network.apply(to: &options)
        options.command = client
        options.subcommands = UsageMessage.subcommands(of: IPv6Check.self)
        options.control = control
        options.trace = trace
        options.isOnce = once
        options.alsoLinux = alsoLinux
        options.timeout = timeout?.duration
        options.verbosity = quiet ? .quiet : verbose ? .verbose : .normal
        options.jsonFile = json
        options.htmlFile = html
        options.failOn = failOn
        options.colour = colour.color
        if options.command.isEmpty {
            throw CheckFailure(Self.firstScreen, .nothingToRun)
        }
        let code = try Check(options, inheritance: Entry.inheritance).run()
        Glibc.exit(code.rawValue)
    }

    private static let firstScreen = """
        no command given

          ipv6check curl -fsS http://shop.test/    run a client on a simulated IPv6-only network
          ipv6check ./my-binary --its-options      the same with a program of yours
          ipv6check suite                          run the tests of ipv6check.yaml
          ipv6check shell                          look around there
          ipv6check resolve 198.51.100.10          what getaddrinfo makes of an address, on which system
          ipv6check doctor                         what this machine can and cannot do

        A client that fails is run again, there and on dual-stack (--once: never).
        See ipv6check --help for all options.
        """
}
