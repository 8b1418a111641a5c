// SPDX-License-Identifier: Apache-2.0
import Evidence
import Text

/// The language that a client is written in, as far as advice depends on it.
package enum Language: String, Hashable, Sendable, CaseIterable {
    case c, swift, rust, go, python, node, java, ruby, php, perl, erlang, dotnet, lua, shell

    /// The language of an interpreter, by its name: `python3.11`, `node`.
    init?(interpreter name: String) {
        // inet_gethost belongs to Erlang.
        switch versionedStem(of: name) ?? name {
        case "python", "pypy": self = .python
        case "node", "nodejs", "deno", "bun", "npm", "npx": self = .node
        case "java": self = .java
        case "ruby", "irb": self = .ruby
        case "php": self = .php
        case "perl": self = .perl
        case "beam", "erl", "escript", "elixir", "iex", "mix", "inet_gethost": self = .erlang
        case "dotnet": self = .dotnet
        case "lua", "luajit": self = .lua
        default: return nil
        }
    }

    /// Whether the argument after an option of the interpreter is a program itself (`perl -we`, `python3 -c`).
    func isOptionOfCode(_ option: String) -> Bool {
        let isCluster = !option.hasPrefix("--")
        return switch self {
        case .perl: isCluster && (option.hasSuffix("e") || option.hasSuffix("E")) && !option.hasPrefix("-M")
        case .ruby: isCluster && option.hasSuffix("e")
        case .python: isCluster && option.hasSuffix("c")
        case .php: option == "-r"
        case .lua: option == "-e"
        case .node: ["-e", "-p", "-pe", "--eval", "--print"].contains(option)
        case .erlang: ["-e", "-eval", "--eval"].contains(option)
        case .c, .swift, .rust, .go, .java, .dotnet, .shell: false
        }
    }

    /// The language of a source file, by its name.
    package init?(file: String) {
        guard let dot = file.lastIndex(of: "."), dot > file.startIndex else { return nil }
        switch file[file.index(after: dot)...].lowercased() {
        case "c", "h", "cc", "cpp", "cxx", "hpp", "hh": self = .c
        case "swift": self = .swift
        case "rs": self = .rust
        case "go": self = .go
        case "py": self = .python
        case "js", "mjs", "cjs", "ts": self = .node
        case "java", "kt", "scala", "jar": self = .java
        case "rb": self = .ruby
        case "php": self = .php
        case "pl", "pm": self = .perl
        case "ex", "exs", "erl", "escript": self = .erlang
        case "cs", "dll": self = .dotnet
        case "lua": self = .lua
        case "sh": self = .shell
        default: return nil
        }
    }

    /// The language of the program that contains the site, or else of the client.
    init?(of site: CallSite?, in examination: Examination) {
        // The site's source file decides first. Debug information of a runtime may lead into its C sources.
        if let language = site?.file.flatMap(Language.init(file:)) {
            self = language
            return
        }
        if let name = site?.program {
            if let language = Language(interpreter: name) ?? Language(file: name) {
                self = language
                return
            }
            let programs = examination.traced.programs.filter { baseName($0.command) == name }
            if let language = programs.lazy.compactMap({ Language(interpreter: baseName($0.executable)) }).first {
                self = language
                return
            }
        }
        guard
            let language = examination.command.first.flatMap({
                Language(interpreter: baseName($0)) ?? Language(file: $0)
            })
        else { return nil }
        self = language
    }
}
