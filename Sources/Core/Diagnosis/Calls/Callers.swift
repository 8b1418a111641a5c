import Evidence

extension CallEvidence {
    /// `fetcher (started by "sh build.sh"): `; nothing where the client itself called.
    func caller(of call: TracedCall) -> Statement {
        guard let program = program(of: call), let client = programs.first else { return "" }
        let name = baseName(program.command)
        // What the client's process executed in place of itself, as scripts that choose a version do, is the client.
        guard program.process != client.process, name != baseName(client.command) else { return "" }
        return "\(text: name)\(starter(of: program)): "
    }

    /// ` (started by "sh build.sh")`; nothing where that is the client, by a command that is the user's own.
    func starter(of program: TracedProgram) -> Statement {
        var next = program.parent
        while let index = next, programs.indices.contains(index) {
            let candidate = programs[index]
            if candidate.process != program.process {
                if index == 0, candidate.isCommandOfShell { return "" }
                return " (started by \"\(text: candidate.commandLine)\")"
            }
            // What the same process ran before did not start it; and a circle is none.
            next = candidate.parent.flatMap { $0 < index ? $0 : nil }
        }
        return ""
    }
}

extension TracedProgram {
    /// More of it is not needed to find it again.
    private static let shownLength = 80

    /// As it was started, without the folder of the program.
    fileprivate var commandLine: String {
        let words = [baseName(arguments.first ?? executable)] + arguments.dropFirst()
        let line = words.joined(separator: " ")
        return line.count > Self.shownLength ? String(line.prefix(Self.shownLength)) + "…" : line
    }

    /// `sh -c COMMAND`, as suites start what is written as text.
    fileprivate var isCommandOfShell: Bool {
        shells.contains(baseName(executable)) && arguments.dropFirst().first == "-c"
    }
}
