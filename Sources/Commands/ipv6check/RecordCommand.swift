// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CheckRunner
import Evidence
import Glibc
import Sandbox
import Terminal
import Text

struct RecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Write a world file of what a program asks for and reaches.",
        usage: "ipv6check record --output FILE [options] [--] CLIENT [ARGUMENTS …]",
        discussion: """
            Runs CLIENT once, on dual-stack, and writes a world file with the names that it asked for, their addresses, and the ports \
            that answered. With --uplink host, that is the real network, and a suite that starts from the file needs it no more:

              ipv6check record -o world.yaml --uplink host ./shop fetch
              ipv6check --world world.yaml ./shop fetch

            What servers said is not recorded: http and https answer as in every world, and other ports send back what comes.
            """)

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The world file to write; - is standard output.", valueName: "file"))
    var output: String

    @Flag(help: "Replace a file that is there.")
    var force = false

    @OptionGroup var place: SimulatorOption

    @OptionGroup var uplink: UplinkOptions

    @OptionGroup var start: WorldFileOption
    @OptionGroup var time: TimeoutOption

    @Argument(
        parsing: .captureForPassthrough, help: ArgumentHelp("The program and its arguments.", valueName: "client"))
    var client: [String] = []

    func run() throws {
        var options = CheckOptions()
        options.command = client.first == "--" ? Array(client.dropFirst()) : client
        options.network = .dualStack
        options.simulator = place.simulator
        options.uplink = try uplink.chosen()
        options.worldFile = start.world
        options.timeout = time.timeout?.duration
        if options.command.isEmpty {
            throw CheckFailure(
                "no command given; such as: ipv6check record -o world.yaml curl http://shop.test/", .nothingToRun)
        }
        let code = try Recording(options, to: output, mayReplace: force, inheritance: Entry.inheritance).run()
        Glibc.exit(code.rawValue)
    }
}
