// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Control
import Text

struct PrefixCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prefix", abstract: "Show the Pref64 of the networks, or change it.")

    @OptionGroup var control: ControlOptions

    @Argument(
        help: ArgumentHelp(
            "The Pref64 from now on: an RFC 6052 prefix of length 32, 40, 48, 56, 64 or 96.", valueName: "prefix"))
    var prefix: String?

    func run() throws {
        let prefix = prefix
        let setting = try control.ask { daemon in
            if let prefix { try await daemon.changePrefix(to: prefix) } else { try await daemon.prefix() }
        }
        try control.show(setting) { printable($0.pref64) }
    }
}
