// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CheckRunner
import Diagnosis
import Evidence
import Glibc
import Reports
import Terminal
import Text
import Topology

/// The check itself, which `ipv6check` runs without a subcommand; its help is the help of `ipv6check`.
struct CheckCommand: ParsableCommand {
    static let name = "run"
    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Says whether a program works on an IPv6-only network, and why not.",
        usage: "ipv6check [options] [--] CLIENT [ARGUMENTS …]",
        discussion: """
            Runs CLIENT on a simulated IPv6-only network, with a DNS64 and a NAT64 in front of simulated IPv4 hosts. A program that \
            fails is run again: a second time there, to detect a flaky program, and then on a dual-stack network, to detect one that is \
            simply broken (--once turns this off). The report goes to standard error; your program's output is passed through.

              ipv6check curl -fsS http://shop.test/
              ipv6check --networks all ./my-binary
              ipv6check --json report.json ./my-binary --its-options
              ipv6check --uplink host curl -fsS https://www.example.com/

            \(DefaultOptions.variable) in the environment holds options that come before these.

            Other commands; 'ipv6check COMMAND --help' has more of each:
            \(IPv6Check.overview)

            Exit codes:
            \(CheckRunner.ExitCode.allCases.map { wrapped("  \("\($0.rawValue)".padded(to: 5))\($0.meaning)", at: 80, indent: 7) }.joined(separator: "\n"))
            """)

    /// Options whose value is the next word. A literal, as querying the parser at each start takes two milliseconds.
    static let optionsTakingValue = [
        "--allow", "--caches", "--client-prefix", "--color", "--conditions", "--control", "--dns-fault", "--fail-on",
        "--fault",
        "--getaddrinfo",
        "--host-port", "--hosts", "--html", "--ignore-aaaa", "--interface", "--json", "--link", "--mtu", "--nat64",
        "--network",
        "--networks",
        "--pcap", "--prefix",
        "--proxy", "--simulator", "--timeout", "--trace", "--uplink", "--url-loading", "--world", "--world-mtu",
    ]

    @OptionGroup(title: "Network")
    var network: NetworkOptions

    @OptionGroup(title: "Runs")
    var runs: RunOptions

    @OptionGroup(title: "Report")
    var report: CheckReportOptions

    @OptionGroup(title: "Report")
    var colour: ColourOptions

    /// Only for the help; the parser never sees these words (`CommandWords`).
    @Argument(help: ArgumentHelp("The program and its arguments.", valueName: "client"))
    var client: [String] = []

    func run() throws {
        var options = try options()
        options.command = client
        try Self.check(options, on: runs.networks?.networks)
    }

    /// The options of the check. See `PlainOptions`.
    func options() throws(CheckFailure) -> CheckOptions {
        var options = CheckOptions()
        try network.apply(to: &options)
        options.control = runs.control
        options.trace = runs.trace
        options.isOnce = runs.once
        options.timeout = runs.time.timeout?.duration
        options.verbosity = report.quiet ? .quiet : report.verbose ? .verbose : .normal
        options.jsonFile = report.json
        options.htmlFile = report.html
        options.hostsFile = report.hosts
        options.failOn = report.failOn
        options.colour = colour.color
        return options
    }

    /// Checks a client without the parser.
    static func checkPlainly(_ client: [String], _ options: CheckOptions) throws {
        var options = options
        options.command = client
        try check(options, on: nil)
    }

    private static func check(_ options: CheckOptions, on networks: [NetworkSchedule]?) throws {
        if options.command.isEmpty {
            throw CheckFailure(firstScreen, .nothingToRun)
        }
        var options = options
        options.subcommands = IPv6Check.subcommands
        let code =
            if let networks {
                try Survey(networks, options, inheritance: Entry.inheritance).run()
            } else {
                try Check(options, inheritance: Entry.inheritance).run()
            }
        Glibc.exit(code.rawValue)
    }

    func validate() throws {
        guard runs.networks != nil else { return }
        if network.network != nil {
            throw ValidationError("--network and --networks contradict each other; give one of them")
        }
        for (option, file) in [("--html", report.html), ("--hosts", report.hosts)] where file != nil {
            throw ValidationError("\(option) is for one network: give it with --network")
        }
    }

    private static let firstScreen = """
        no command given

          ipv6check curl -fsS http://shop.test/    run a client on a simulated IPv6-only network
          ipv6check ./my-binary --its-options      the same with a program of yours
          ipv6check --uplink host ./my-binary      the same with the real network behind it
          ipv6check suite                          run the tests of ipv6check.yaml
          ipv6check shell                          look around there
          ipv6check resolve 198.51.100.10          what getaddrinfo makes of an address, on which system
          ipv6check doctor                         what this machine can and cannot do

        A program that fails is run again, there and on dual-stack (--once turns this off).
        See ipv6check --help for all options.
        """
}
