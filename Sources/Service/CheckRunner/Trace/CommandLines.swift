// SPDX-License-Identifier: Apache-2.0
import Evidence
import LinuxNet
import Origins
import Text

/// Gives programs that a script started, and connections that bash made by itself, the line of that script.
enum CommandLines {
    /// Octets of one file; files of one program; programs that are looked at.
    private static let limits = (octets: 1 << 20, files: 50, programs: 64)

    static func complete(_ run: inout RunEvidence) {
        guard var calls = run.calls else { return }
        var searches: [Int: CommandSearch] = [:]
        func search(of program: Int) -> CommandSearch {
            if let known = searches[program] { return known }
            var search = CommandSearch()
            for file in calls.openedFiles.filter({ $0.program == program }).prefix(limits.files) {
                guard let octets = try? Descriptor.contents(ofRegularFile: file.path, limit: limits.octets) else { continue }
                search.add(file: octets, path: file.path)
            }
            searches[program] = search
            return search
        }
        for index in calls.programs.indices.prefix(limits.programs) where calls.programs[index].parent != nil {
            calls.programs[index].startedAt = calls.starters(of: index).lazy.compactMap {
                search(of: $0).place(ofCommand: calls.programs[index].arguments)
            }.first
        }
        for index in calls.calls.indices where calls.calls[index].name == .connect && calls.calls[index].frames.own?.line == nil {
            let program = calls.calls[index].program
            guard calls.programs.indices.contains(program), baseName(calls.programs[program].executable) == "bash",
                let socket = calls.calls[index].socket
            else { continue }
            // bash(1), "Redirection".
            let text = socket.type == SocketKind.datagram ? "/dev/udp/" : "/dev/tcp/"
            if let place = search(of: program).place(ofText: text) { calls.calls[index].frames.insert(place, at: 0) }
        }
        run.calls = calls
    }
}

extension CallEvidence {
    /// Which programs may have started one, the nearest first: its parent, and where that is a shell for one command (`sh -c`), the
    /// program that started the shell.
    fileprivate func starters(of program: Int) -> [Int] {
        var found: [Int] = []
        var next = programs[program].parent
        while let index = next, programs.indices.contains(index), found.count < 4 {
            found.append(index)
            guard programs[index].isCommandOfShell || programs[index].process == programs[program].process else { break }
            // A circle is none.
            next = programs[index].parent.flatMap { $0 < index ? $0 : nil }
        }
        return found
    }
}
