// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
import Text

/// The messages for an invalid command line.
package enum UsageMessage {
    /// The parser's own message, after the program's name as in all our errors. It ends with the command whose help explains it. For a
    /// request for help, the help.
    /// - Parameter unnamed: commands that run if none is named, such as `suite run`: users know their help as that of the command above.
    package static func of(
        _ error: any Error, in root: any ParsableCommand.Type, unnamed: [String] = []
    ) -> String {
        let tool = root.configuration.commandName ?? ""
        let message = unnamed.reduce(root.fullMessage(for: error)) { message, name in
            let above = ([tool] + name.split(separator: " ").dropLast().map(String.init)).joined(separator: " ")
            return message.replacing("'\(tool) \(name) --help'", with: "'\(above) --help'")
        }
        let prefix = "Error: "
        return message.hasPrefix(prefix) ? "\(tool): \(message.dropFirst(prefix.count))" : message
    }

    /// The error for a first word that is not a subcommand; `nil` if it is one, or is an option.
    package static func ofUnknownSubcommand(_ word: String, in root: any ParsableCommand.Type) -> String? {
        let names = subcommands(of: root) + ["help"]
        if word.hasPrefix("-") || names.contains(word) { return nil }
        let tool = root.configuration.commandName ?? ""
        let suggestion = nearestWord(to: word, among: names).map { " (did you mean \($0)?)" } ?? ""
        return "\(word) is no command of \(tool)\(suggestion)\n  See '\(tool) --help' for more information."
    }

    /// The names of the subcommands, in the order of the help.
    package static func subcommands(of root: any ParsableCommand.Type) -> [String] {
        root.configuration.subcommands.compactMap { $0.configuration.commandName }
    }
}
