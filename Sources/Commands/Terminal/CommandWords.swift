// SPDX-License-Identifier: Apache-2.0
/// The words of a command line of the form `tool [options] client [its arguments]`, split before anything is parsed.
///
/// The parser never sees the client's name and the words after it. It could mistake the client's options for ours, and its time grows with
/// the square of the number of words.
///
///     --timeout 2 --quiet curl --timeout 9        options: --timeout 2 --quiet    client: curl --timeout 9
///     --json=x -- -odd                            options: --json=x               client: -odd
///     --network nat64 shell                       subcommand shell with the options --network nat64
package struct CommandWords: Equatable {
    /// `nil` if a client is run.
    package var subcommand: String?
    /// The options; with a subcommand, all words but its name.
    package var options: [String]
    package var client: [String]

    /// - Parameters:
    ///   - words: without the tool's own name.
    ///   - running: the name of the subcommand that runs a client; it may be omitted.
    ///   - subcommands: the others.
    ///   - takingValue: the options behind which the next word is a value, such as `--timeout`.
    package init(_ words: [String], running: String, subcommands: [String], takingValue: [String]) {
        var rest = words[...]
        options = []
        client = []
        var isNamed = false
        while let word = rest.popFirst() {
            if word == "--" {
                client = Array(rest)
                return
            }
            // A lone dash is not an option.
            guard word.hasPrefix("-"), word != "-" else {
                if word == running, !isNamed {
                    isNamed = true
                    continue
                }
                if !isNamed, subcommands.contains(word) {
                    subcommand = word
                    options += rest
                } else {
                    client = [word] + rest
                }
                return
            }
            options.append(word)
            if takingValue.contains(word), let value = rest.popFirst() { options.append(value) }
        }
    }
}
