// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CheckRunner
import Glibc
import Sandbox
import SuiteRunner
import Suites
import Terminal
import Text

/// `ipv6check matrix`: the rows of the IETF draft's matrix for a program, each on its network.
struct MatrixCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "matrix",
        abstract: "Run a program through the IETF's matrix of IPv6 tests.",
        usage: """
            ipv6check matrix [options] -- COMMAND … '{host}' …
            ipv6check matrix [options] --listen PORT -- COMMAND …
            """,
        discussion: """
            The rows are those of draft-ietf-v6ops-ipv6-app-testing for a program that goes to a server: hosts and servers of each family, \
            an IPv6 address that is dead, literals, proxies, wrong names. COMMAND runs once for each row and network, with the name of \
            the row's server in the place of {host}. With --listen COMMAND is a server itself, and has the rows for one.

              ipv6check matrix -- curl -fsS 'http://{host}/'
              ipv6check matrix --tag base -- ./shop fetch '{host}'
              ipv6check matrix --listen 8080 -- ./shopd
              ipv6check matrix --suite ci/matrix -- ./shop fetch '{host}'

            Exit codes:
              0    as expected
              1    a row is red for its network
              2    wrong usage
              3    only rows that fail on dual-stack are red
              5    this machine cannot make the network (see ipv6check doctor)
            """)

    @Option(
        help: ArgumentHelp("COMMAND is a server that listens at this TCP port.", valueName: "port"),
        transform: {
            guard let port = portNumber($0) else { throw ValidationError("give a port, such as 8080") }
            return port
        })
    var listen: UInt16?

    @Option(
        help: ArgumentHelp(
            "Only these rows: base, extended, proxies, names; of a server base, data-centre, extended (repeatable).",
            valueName: "tag"))
    var tag: [String] = []

    @Option(
        help: ArgumentHelp(
            "Run nothing, and write the suite and its world into this folder, to be cut and run by ipv6check suite.",
            valueName: "folder"))
    var suite: String?

    @Option(
        help: ArgumentHelp("The limit of each run (default: 20s, of a server 90s).", valueName: "time"),
        transform: TimeoutOption.read)
    var timeout: WrittenDuration?

    @OptionGroup var parallel: JobsOption

    @OptionGroup(title: "Report")
    var reports: ReportOptions

    @OptionGroup(title: "Report")
    var colour: ColourOptions

    @Argument(parsing: .postTerminator, help: "The program and its arguments.")
    var command: [String] = []

    func validate() throws {
        if command.isEmpty { throw ValidationError("give a program: ipv6check matrix -- ./shop fetch '{host}'") }
    }

    func run() throws {
        let matrix = try ShippedSuite.matrix(command, listeningAt: listen)
        if let suite {
            try matrix.write(to: suite)
            print("\(suite): written; edit it, and run: ipv6check suite \(suite)/ipv6check.yaml")
            return
        }
        if !command[0].contains("{") {
            _ = try Executable.given(OSString(command[0]), path: Entry.inheritance.environment["PATH"])
        }
        var options = SuiteOptions(withoutFile: parallel, reports, colour)
        options.selection = CaseSelection(patterns: [], tags: tag, networks: [])
        Glibc.exit(try matrix.run(options, timeout: timeout?.duration, inheritance: Entry.inheritance))
    }
}
