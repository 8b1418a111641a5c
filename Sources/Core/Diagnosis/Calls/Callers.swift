// SPDX-License-Identifier: Apache-2.0
import Evidence
import Text

extension CallEvidence {
    /// `fetcher (started by "sh build.sh"): `; nothing where the client itself called.
    func caller(of call: TracedCall) -> Statement {
        guard let program = program(of: call), let client = programs.first else { return "" }
        let name = baseName(program.command)
        // What the client's process executed in place of itself, as scripts that choose a version do, is the client.
        guard program.process != client.process, name != baseName(client.command) else { return "" }
        return "\(text: name)\(starter(of: program)): "
    }

    /// ` (started by "sh -c make", by "python3 build.py")`; nothing where that is the user's own command of a shell.
    func starter(of program: TracedProgram) -> Statement {
        let commands = ancestors(of: program).prefix(Self.shownAncestors).map { "by \"\($0.commandLine)\"" }
        return commands.isEmpty ? "" : " (started \(text: commands.joined(separator: ", ")))"
    }

    /// Where the client started a program, if that is known.
    func site(of program: TracedProgram) -> CallSite {
        CallSite(
            program: baseName(program.executable), file: program.startedAt?.file, line: program.startedAt?.line)
    }

    /// ` at check.sh:4`, where the client started a program.
    func start(of program: TracedProgram) -> Statement {
        guard let place = program.startedAt, let file = place.file, let line = place.line else { return "" }
        return " at \(text: "\(file):\(line)")"
    }

    /// Those above have the client's command, or are far away.
    private static let shownAncestors = 3

    /// Who started a program, who started that, and so on; of each process what it ran last by then.
    private func ancestors(of program: TracedProgram) -> [TracedProgram] {
        var found: [TracedProgram] = []
        var process = program.process
        var next = program.parent
        while let index = next, programs.indices.contains(index) {
            let candidate = programs[index]
            // What the same process ran before did not start it.
            if candidate.process != process, !(index == 0 && candidate.isCommandOfShell) { found.append(candidate) }
            process = candidate.process
            // A circle is none.
            next = candidate.parent.flatMap { $0 < index ? $0 : nil }
        }
        return found
    }
}

extension TracedProgram {
    /// More of it is not needed to find it again.
    private static let shownLength = 80

    /// As it was started, without the folder of the program.
    var commandLine: String {
        let words = [baseName(arguments.first ?? executable)] + arguments.dropFirst()
        let line = words.joined(separator: " ")
        return line.count > Self.shownLength ? String(line.prefix(Self.shownLength)) + "…" : line
    }
}
