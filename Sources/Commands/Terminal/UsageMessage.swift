package import ArgumentParser
import Text

/// What is said of a command line that cannot be understood.
package enum UsageMessage {
    /// The parser's own message. It ends with the command whose help explains it: of the one that runs clients, the help is
    /// that of the tool.
    package static func of(_ error: any Error, in root: any ParsableCommand.Type, running: String? = nil) -> String {
        let message = root.fullMessage(for: error)
        guard let running, let tool = root.configuration.commandName else { return message }
        return message.replacing("'\(tool) \(running) --help'", with: "'\(tool) --help'")
    }

    /// Of a first word that names no subcommand; `nil` if it does, or is an option.
    package static func ofUnknownSubcommand(_ word: String, in root: any ParsableCommand.Type) -> String? {
        let names = subcommands(of: root) + ["help"]
        if word.hasPrefix("-") || names.contains(word) { return nil }
        let tool = root.configuration.commandName ?? ""
        let suggestion = nearestWord(to: word, among: names).map { " (did you mean \($0)?)" } ?? ""
        return "\(word) is no command of \(tool)\(suggestion)\n  See '\(tool) --help' for more information."
    }

    /// Their names, in the order of the help.
    package static func subcommands(of root: any ParsableCommand.Type) -> [String] {
        root.configuration.subcommands.compactMap { $0.configuration.commandName }
    }
}
