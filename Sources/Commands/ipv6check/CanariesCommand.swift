// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CheckRunner
import Evidence
import Glibc
import Sandbox
import SuiteRunner
import Suites
import Terminal

/// `ipv6check --canaries`: a suite without a file, of one program that fetches a given URL. An option, not a subcommand: a program follows
/// it, as without it.
struct CanariesCommand: ParsableCommand {
    static let option = "--canaries"
    static let configuration = CommandConfiguration(
        commandName: option,
        abstract: "Say whether a program that fetches URLs can be led to private hosts.",
        usage: "ipv6check --canaries [options] -- COMMAND … '{url}' …",
        discussion: """
            COMMAND runs once for each of some 200 URLs, in the place of {url} (and as $CANARY_URL). Most lead to a private host: a \
            cloud's metadata service, the program's own machine, a private network. They are written in other ways, found by names and \
            redirects, or translated by a NAT64. The others are public hosts, which it has to reach on an IPv6-only network, too.

              ipv6check --canaries -- ./preview '{url}'
              ipv6check --canaries -- sh -c 'printf %s "$CANARY_URL" | ./preview'

            Exit codes:
              0    it reached every public host, and no private one
              1    it reached a private host, or not every public one
              2    wrong usage
              5    this machine cannot make the network (see ipv6check doctor)
            """)

    @Option(
        help: ArgumentHelp("The limit of each run (default: 30s).", valueName: "time"),
        transform: TimeoutOption.read)
    var timeout: WrittenDuration?

    @OptionGroup var parallel: JobsOption

    @Option(help: .hidden)
    var uplink: String?

    @Option(help: .hidden)
    var simulator: String?

    @OptionGroup(title: "Report")
    var reports: ReportOptions

    @OptionGroup(title: "Report")
    var colour: ColourOptions

    @Argument(parsing: .postTerminator, help: "The program and its arguments.")
    var command: [String] = []

    func validate() throws {
        if command.isEmpty { throw ValidationError("give a program: ipv6check --canaries -- ./preview '{url}'") }
        if uplink != nil || simulator != nil {
            throw ValidationError(
                "the canaries are in a world of their own, which nothing leaves: leave out --uplink and --simulator")
        }
    }

    func run() throws {
        var options = SuiteOptions(withoutFile: parallel, reports, colour)
        options.isBrief = true
        let suite = try Suite.canaries(command, timeout: timeout?.duration)
        Glibc.exit(try SuiteRun(SuiteSource(suite), options, inheritance: Entry.inheritance).run())
    }
}
