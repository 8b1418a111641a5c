// SPDX-License-Identifier: Apache-2.0
import Evidence
import LinuxNet
import Origins
import Text

/// Adds the line of a script to programs that the script started, and to connections of an interpreter for which nothing else shows the
/// line.
enum CommandLines {
    /// Programs that are examined.
    private static let programLimit = 64

    static func complete(_ run: inout RunEvidence) {
        guard var calls = run.calls else { return }
        var searches: [Int: SourceSearch] = [:]
        var sources = SourceFiles()
        func search(of program: Int) -> SourceSearch {
            if let known = searches[program] { return known }
            let search = sources.search(in: SourceFiles.sources(of: program, in: calls))
            searches[program] = search
            return search
        }
        for index in calls.programs.indices.prefix(programLimit) where calls.programs[index].parent != nil {
            calls.programs[index].startedAt =
                calls.starters(of: index).lazy.compactMap {
                    search(of: $0).place(ofCommand: calls.programs[index].arguments)
                }.first { !$0.isOfLibrary }
        }
        for index in calls.calls.indices {
            let call = calls.calls[index]
            guard [.connect, .sendto, .bind, .listen].contains(call.name), call.frames.own?.line == nil,
                calls.programs.indices.contains(call.program)
            else { continue }
            let program = calls.programs[call.program]
            let texts = call.name == .connect ? texts(connecting: call, in: program) : texts(calling: call, in: program)
            let others = call.frames.areOfAnyIO ? ["await ", "async with "] : []
            let place = calls.forks(of: call.program).lazy.compactMap {
                search(of: $0).place(ofOneOf: texts, with: others)
            }.first
            if let place { calls.calls[index].frames.insert(place, at: 0) }
        }
        run.calls = calls
        for index in run.lookups.indices where run.lookups[index].site.file == nil {
            let program = calls.programs.last { Int($0.process) == run.lookups[index].process }
            if let place = program?.startedAt { run.lookups[index].site.stand(at: place) }
        }
    }

    /// A script's text for a connection whose line neither the native stack nor the preloaded library shows: bash has no function that
    /// would (bash(1), "Redirection"), nor have Tcl, Lua, Guile and Erlang's machine; PHP loads its extensions so that they find the C
    /// library before ours (RTLD_DEEPBIND); and a task of asyncio that was made of a library's coroutine has frames of libraries only
    /// (`wait_for(open_connection(…))`), as has each connection of anyio, and so of httpx.
    private static func texts(connecting call: TracedCall, in program: TracedProgram) -> [String] {
        let isDatagram = call.socket?.type == SocketKind.datagram
        switch interpreterName(of: baseName(program.executable)) {
        case "bash": return [isDatagram ? "/dev/udp/" : "/dev/tcp/"]
        case "php" where call.frames.contains { $0.module?.contains("/libcurl") == true }: return ["curl_exec("]
        case "php" where call.frames.isOfPHPSockets: return ["socket_connect("]
        case "python" where call.frames.areOfAnyIO:
            return ["connect_tcp("]
                + ["get", "post", "put", "patch", "delete", "head", "options", "request", "stream", "send"].map {
                    ".\($0)("
                }
        case "python": return call.frames.functionOfTask.map { [$0 + "("] } ?? []
        case "tclsh", "wish", "expect": return isDatagram ? [] : ["socket ", "http::geturl "]
        case "lua", "luajit": return isDatagram ? ["setpeername("] : ["connect(", "request("]
        case "guile": return ["(connect "]
        case "beam" where !isDatagram:
            return ["gen_tcp.connect(", "gen_tcp:connect(", "httpc.request(", "httpc:request("]
        default: return []
        }
    }
}

extension CommandLines {
    /// The same for another call of a socket.
    private static func texts(calling call: TracedCall, in program: TracedProgram) -> [String] {
        switch interpreterName(of: baseName(program.executable)) {
        case "php" where call.frames.isOfPHPSockets: ["socket_\(call.name.rawValue)("]
        case "lua", "luajit":
            switch call.name {
            case .sendto: ["sendto("]
            case .bind, .listen: ["bind(", "setsockname("]
            default: []
            }
        case "tclsh", "wish", "expect": [.bind, .listen].contains(call.name) ? ["socket -server "] : []
        default: []
        }
    }
}

extension [StackFrame] {
    /// Whether the call was made by PHP's extension of socket functions.
    fileprivate var isOfPHPSockets: Bool { contains { $0.module?.hasSuffix("/sockets.so") == true } }

    /// Whether anyio, which connects in tasks of its own, is among the frames, and no line of the program's own is.
    fileprivate var areOfAnyIO: Bool {
        contains { $0.file?.contains("/anyio/") == true } && own?.line == nil
    }

    /// The public function from which the asyncio task that makes a call was made; `nil` if it is not a library's.
    fileprivate var functionOfTask: String? {
        let loop = firstIndex { $0.function == "_run" && $0.file?.hasSuffix("/asyncio/events.py") == true }
        guard let loop, loop > startIndex, self[loop - 1].isOfLibrary, let function = self[loop - 1].function,
            !function.hasPrefix("_")
        else { return nil }
        return function
    }
}

extension CallEvidence {
    /// A program and those that read its script before it: programs that it was forked from without executing another, as a shell runs
    /// commands in parentheses, and programs executed before it in its process, as escript starts Erlang.
    fileprivate func forks(of program: Int) -> [Int] {
        var found = [program]
        while let parent = programs[found[found.count - 1]].parent, programs.indices.contains(parent),
            parent < found[found.count - 1],
            programs[parent].arguments == programs[program].arguments
                || programs[parent].process == programs[program].process
        {
            found.append(parent)
        }
        return found
    }

    /// The programs that may have started one, nearest first: its parent, and, if that is a shell for one command (`sh -c`), the program
    /// that started the shell.
    func starters(of program: Int) -> [Int] {
        var found: [Int] = []
        var next = programs[program].parent
        while let index = next, programs.indices.contains(index), found.count < 4 {
            found.append(index)
            guard programs[index].isCommandOfShell || programs[index].process == programs[program].process else {
                break
            }
            // A circle of parents ends here.
            next = programs[index].parent.flatMap { $0 < index ? $0 : nil }
        }
        return found
    }
}
