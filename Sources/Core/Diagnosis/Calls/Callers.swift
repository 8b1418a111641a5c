// SPDX-License-Identifier: Apache-2.0
import Evidence
import Text

extension CallEvidence {
    /// `fetcher (started by "sh build.sh"): `; empty if the client itself made the call.
    func caller(of call: TracedCall) -> Statement {
        guard let program = program(of: call), let client = programs.first else { return "" }
        let name = baseName(program.command)
        // A program that replaced the client in its own process, as scripts that choose a version do it, counts as the client.
        guard program.process != client.process, name != baseName(client.command) else { return "" }
        return "\(text: name)\(starter(of: program)): "
    }

    /// ` (started by "sh -c make", by "python3 build.py")`; empty if only the user's own shell command started it.
    func starter(of program: TracedProgram) -> Statement {
        let commands = ancestors(of: program).prefix(Self.shownAncestors).map { "by \"\($0.commandLine)\"" }
        return commands.isEmpty ? "" : " (started \(text: commands.joined(separator: ", ")))"
    }

    /// The place in the client where it started a program, if known.
    func site(of program: TracedProgram) -> CallSite {
        CallSite(
            program: baseName(program.executable), file: program.startedAt?.file, line: program.startedAt?.line)
    }

    /// ` at check.sh:4`, the place where the client started a program; empty if unknown.
    func start(of program: TracedProgram) -> Statement {
        guard let place = program.startedAt, let file = place.file, let line = place.line else { return "" }
        return " at \(CallSite(file: file, line: line))"
    }

    /// Ancestors further up have the client's command, or are too distant to be of use.
    private static let shownAncestors = 3

    /// The ancestors of a program, its parent first. Each process is listed with the program that it ran last by then.
    private func ancestors(of program: TracedProgram) -> [TracedProgram] {
        var found: [TracedProgram] = []
        var process = program.process
        var next = program.parent
        while let index = next, programs.indices.contains(index) {
            let candidate = programs[index]
            // A program that the same process ran before is no parent.
            if candidate.process != process, !(index == 0 && candidate.isCommandOfShell) { found.append(candidate) }
            process = candidate.process
            // A parent comes before its child in the list; anything else would be a circle.
            next = candidate.parent.flatMap { $0 < index ? $0 : nil }
        }
        return found
    }
}

extension TracedProgram {
    /// Enough to find the command again, in characters.
    private static let shownLength = 80

    /// The command line without the folder of the program, shortened.
    var commandLine: String {
        let words = [baseName(arguments.first ?? executable)] + arguments.dropFirst()
        let line = words.joined(separator: " ")
        return line.count > Self.shownLength ? String(line.prefix(Self.shownLength)) + "…" : line
    }
}
