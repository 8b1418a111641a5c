// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Glibc
import Sandbox
import SuiteRunner
import Terminal

/// `ipv6check eyeballs`: how a client chooses between IPv6 and IPv4, and how long it takes.
struct EyeballsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "eyeballs",
        abstract: "Measure how a client chooses between IPv6 and IPv4.",
        usage: "ipv6check eyeballs [options] -- COMMAND … '{host}' …",
        discussion: """
            COMMAND runs once for each step on a dual-stack host, with the name of the step in the place of {host}: an IPv6 address that \
            is silent, one that refuses, a late answer to AAAA, a late one to A, no AAAA, many addresses that are silent. What it asked and \
            where it went is measured on its link, and held against RFC 8305 (Happy Eyeballs).

              ipv6check eyeballs -- curl -fsS 'http://{host}/'
              ipv6check eyeballs --json marks.json -- ./shop fetch '{host}'

            Exit codes:
              0    the client got through at each step, however it did
              1    it did not at one step at least
              2    wrong usage
              5    this machine cannot make the network (see ipv6check doctor)
            """)

    @Option(
        help: ArgumentHelp("The limit of each run (default: 40s).", valueName: "time"),
        transform: TimeoutOption.read)
    var timeout: WrittenDuration?

    @Option(help: ArgumentHelp("Write the marks to this file as JSON; - is standard output.", valueName: "file"))
    var json: String?

    @OptionGroup var colour: ColourOptions

    @Argument(parsing: .postTerminator, help: "The program and its arguments.")
    var command: [String] = []

    func validate() throws {
        if command.isEmpty { throw ValidationError("give a program: ipv6check eyeballs -- ./shop fetch '{host}'") }
    }

    func run() throws {
        let run = EyeballsRun(command, timeout: timeout?.duration, json: json, colour: colour.color)
        Glibc.exit(try run.run(Entry.inheritance))
    }
}
