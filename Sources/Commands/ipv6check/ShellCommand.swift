// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CheckRunner
import Evidence
import Glibc
import Sandbox
import Terminal

struct ShellCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shell",
        abstract: "Open a shell on the simulated network.",
        usage: "ipv6check shell [options]")

    @OptionGroup var network: NetworkOptions
    @OptionGroup var colour: ColourOptions

    func run() throws {
        var options = CheckOptions()
        try network.apply(to: &options)
        options.colour = colour.color
        options.command = [Entry.inheritance.environment["SHELL"]?.description ?? "/bin/sh"]
        Glibc.exit(try Check(options, inheritance: Entry.inheritance).runShell())
    }
}
