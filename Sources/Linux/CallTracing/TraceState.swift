// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Evidence
internal import Glibc
internal import LinuxNet
internal import Wire

/// Traces a client's threads from stop to stop, and records their calls: the state of the tracer's thread.
struct TraceState {
    private let start: Instant
    private var trace = Trace()
    private var log = CallLog()
    private var threads = ThreadTable()
    private var processes = ProcessTable()
    private var connections = PendingConnections()
    private var stacks = StackBudget()
    private var crashes = CrashTable()
    /// The sockets of the process that made the last call.
    private var sockets: ProcessSockets?
    private var files: Set<String> = []
    /// For each program, the number of files that it was the first to open.
    private var filesOfPrograms: [Int: Int] = [:]

    /// Further ones would add no information.
    private static let programLimit = 512
    private static let fileLimit = 4096
    /// A compiler opens hundreds of files, and tries more that do not exist, before its output opens one.
    private static let fileLimitOfProgram = 1024
    /// A deeper stack is one of a runaway program, or of a function with a large array: the innermost frames are within the limit.
    private static let stackLimit = 64 << 10

    init(since start: Instant) {
        self.start = start
    }

    /// Starts with a process that is already traced.
    mutating func begin(with process: Int32) {
        threads.add(process, of: process)
        // The process is about to execute the client: that will be the first program.
    }

    /// The trace, once all processes have ended.
    consuming func finish() -> Trace {
        for thread in threads.numbers { leaveUnfinished(thread, isKilled: true) }
        let entries = log.entries
        trace.evidence.calls = entries.map(\.call)
        trace.stacks = entries.map(\.stack)
        trace.evidence.lost = log.lost
        noteRings()
        return trace
    }

    /// Requests that are submitted to a ring are no system calls. There is no gap if the program makes network calls of its own as well.
    private mutating func noteRings() {
        let calls = trace.evidence.calls
        for ring in calls where ring.name == .ioUringSetup && ring.error == nil {
            let isSilent = !calls.contains { $0.program == ring.program && $0.isAttempt }
            guard isSilent, let program = trace.evidence.program(of: ring) else { continue }
            note(
                gap:
                    "\(program.executable) uses io_uring: what it sends and connects by that is seen on the network only, "
                    + "without its line.")
        }
    }

    mutating func note(gap: String) {
        if !trace.evidence.gaps.contains(gap) { trace.evidence.gaps.append(gap) }
    }

    // MARK: - Stops

    /// Handles a stop, and continues the thread.
    mutating func handle(_ stop: clinux_stop) {
        let thread = stop.thread
        var manner = clinux_go_on
        var signal: Int32 = 0
        switch Int(stop.kind) {
        case clinux_stop_ended:
            // WIFSIGNALED: the low seven bits of the status are the signal.
            let killer = Int32(truncatingIfNeeded: stop.value & 0x7f)
            if let process = threads.process(of: thread), let stack = crashes.end(process, by: killer) {
                note(end: .killed(signal: killer), of: process, frames: [], stack)
            }
            end(thread, isKilled: killer != 0)
            return
        case clinux_stop_call: manner = enterCall(thread) ? clinux_finish_call : clinux_go_on
        case clinux_stop_return: leaveCall(thread)
        case clinux_stop_started: started(Int32(truncatingIfNeeded: stop.value), by: thread)
        case clinux_stop_executed: executed(thread, formerly: Int32(truncatingIfNeeded: stop.value))
        case clinux_stop_signal:
            signal = Int32(truncatingIfNeeded: stop.value)
            if let process = threads.process(of: thread), crashes.wants(signal, of: process) {
                crashes.begin(signal, of: process, at: snapshot(of: thread, process))
            }
        case clinux_stop_stopped: manner = clinux_stay_stopped
        default: meet(thread)
        }
        // If the thread was killed in the meantime, its end will be reported.
        _ = clinux_let_go(thread, Int32(manner), signal)
    }

    private mutating func meet(_ thread: Int32) {
        guard threads.process(of: thread) == nil, let status = ProcessFiles(thread).status else { return }
        let program = processes.program(of: status.process) ?? processes.program(of: status.parent)
        add(thread, of: status.process, running: program)
    }

    private mutating func started(_ child: Int32, by thread: Int32) {
        guard threads.process(of: child) == nil, let status = ProcessFiles(child).status else { return }
        add(child, of: status.process, running: threads.process(of: thread).flatMap(processes.program))
    }

    private mutating func add(_ thread: Int32, of process: Int32, running program: Int?) {
        threads.add(thread, of: process)
        if let program { processes.fork(process, from: program) }
    }

    private mutating func executed(_ thread: Int32, formerly former: Int32) {
        // The kernel gives the thread that executes a program the id of its process; the other threads are gone.
        if former != thread { threads.remove(former) }
        leaveUnfinished(thread, isKilled: true)
        threads.add(thread, of: thread)
        processes[map: thread] = nil
        addProgram(of: thread, parent: processes.program(of: thread))
    }

    private mutating func end(_ thread: Int32, isKilled: Bool) {
        leaveUnfinished(thread, isKilled: isKilled)
        threads.remove(thread)
        // The first thread of a process is the last to end.
        if let program = processes.ownProgram(of: thread) { trace.evidence.programs[program].end = elapsed }
        processes.end(thread)
        crashes.forget(thread)
        if sockets?.process == thread { sockets = nil }
    }

    private var elapsed: Duration { max(.zero, MonotonicClock.now() - start) }

    // MARK: - Programs

    private mutating func addProgram(of process: Int32, parent: Int?) {
        if let former = processes.ownProgram(of: process) { trace.evidence.programs[former].end = elapsed }
        guard trace.evidence.programs.count < Self.programLimit else {
            // The last program represents the rest.
            processes.run(process, Self.programLimit - 1, isOwn: false)
            note(gap: "Programs after the first \(Self.programLimit) are not told apart.")
            return
        }
        let files = ProcessFiles(process)
        trace.evidence.programs.append(
            TracedProgram(
                process: files.status?.inner ?? process, parent: parent, executable: files.executable,
                arguments: Array(files.arguments.prefix(256)), workingDirectory: files.workingDirectory, start: elapsed)
        )
        trace.environments.append(files.environment)
        processes.run(process, trace.evidence.programs.count - 1)
    }

    /// The index of a process's program in the evidence. A child that was forked without executing anything gets an entry of its own when
    /// it makes a recorded call or opens a recorded file.
    private mutating func program(of process: Int32) -> Int {
        if let own = processes.ownProgram(of: process) { return own }
        addProgram(of: process, parent: processes.program(of: process))
        return processes.program(of: process) ?? 0
    }

    // MARK: - Calls

    private mutating func sockets(of process: Int32) -> ProcessSockets {
        if let known = sockets, known.process == process { return known }
        let other = ProcessSockets(of: process)
        sockets = other
        return other
    }

    /// - Returns: whether the end of the call matters.
    private mutating func enterCall(_ thread: Int32) -> Bool {
        var call = clinux_traced_call()
        guard unsafe clinux_get_call(thread, &call) else { return false }
        if threads.process(of: thread) == nil { meet(thread) }
        guard let process = threads.process(of: thread) else { return false }
        // Announced frames belong to this call, unless this is an announcement itself, or the interpreter opens one of its files meanwhile.
        let announced =
            Int(call.call) == clinux_called_openat ? threads.frames(of: thread) : threads.takeFrames(of: thread)
        let reader = CallReader(files: ProcessFiles(process), sockets: sockets(of: process))
        switch reader.read(call) {
        case .nothing: return false
        case .frames(let announced):
            take(announced, from: thread)
            return false
        case .file(let path):
            take(file: path, of: process)
            return false
        case .rivalTracer:
            trace.evidence.hasRivalTracer = true
            return false
        case .exit(let status):
            // The tests of a script end with 1 very often. They are the system's, and have no lines.
            let isOfSystem = Self.systemFolders.contains(where: reader.files.executable.hasPrefix)
            guard trace.evidence.ends.count < Self.endLimit, !announced.isEmpty || !isOfSystem else { return false }
            let stack = announced.isEmpty ? snapshot(of: thread, process) : nil
            note(end: .exited(status: status), of: process, frames: announced, stack)
            return false
        case .question(let descriptor, let answer):
            if connections.isEmpty { return false }
            guard let socket = reader.sockets.kind(of: descriptor)?.inode, connections.contains(socket) else {
                return false
            }
            threads.enter(unrecorded: .question(socket, answer: answer), by: thread)
        case .identity(let function):
            // In other namespaces it returns the same as on the machine.
            guard reader.files.hasOneUser else { return false }
            threads.enter(unrecorded: .identity(function), by: thread)
        case .call(let name, let subject, let descriptor, let inode):
            // A recorded file is a call of its own.
            _ = threads.takeFrames(of: thread)
            let (call, ended) = threads.enter(
                ThreadTable.Call(
                    name: name, subject: subject, descriptor: descriptor, inode: inode, since: MonotonicClock.now(),
                    frames: announced),
                by: thread)
            if let ended { record(ended, by: thread, of: process) }
            if name == .connect, call.frames.isEmpty, call.stack == nil, stacks.takesAtBeginning(subject) {
                threads.keep(snapshot(of: thread, process), of: thread)
            }
        }
        return true
    }

    /// A thread has ended, or executed another program, so its call never returned.
    /// - Parameter isKilled: whether a signal ended the thread: then an interrupted call did not return either.
    private mutating func leaveUnfinished(_ thread: Int32, isKilled: Bool) {
        guard let process = threads.process(of: thread) else { return }
        for cut in threads.leaveUnfinished(thread, isKilled: isKilled) { record(cut, by: thread, of: process) }
    }

    private mutating func record(_ cut: ThreadTable.Cut, by thread: Int32, of process: Int32) {
        record(cut.call, as: cut.isInterrupted ? .failed(.interrupted) : .unknown, by: thread, of: process)
    }

    private mutating func leaveCall(_ thread: Int32) {
        var value: Int64 = 0
        guard let process = threads.process(of: thread), unsafe clinux_get_return(thread, &value),
            let call = threads.leave(thread, returning: value)
        else { return }
        switch call {
        case .recorded(let call):
            record(call, as: outcome(of: call.name, returning: value), by: thread, of: process, stands: true)
        case .question(let socket, let answer):
            if value == 0, let error = ClientMemory(process: process, is32Bit: false).int(at: answer) {
                end(pending: socket, error: error)
            }
        case .identity(let function):
            guard value == -Int64(EINVAL) else { return }
            note(
                gap:
                    "\(ProcessFiles(process).executable) called \(function) and got EINVAL: on this network, an ordinary user's "
                    + "program has one user and one group, and no other exists. On the machine it would be EPERM.")
        }
    }

    private func outcome(of name: TracedCall.Name, returning value: Int64) -> TracedCall.Outcome {
        switch value {
        case 0...: .succeeded(Int(value))
        case -Int64(ErrorNumber.inProgress.rawValue) where name == .connect: .pending
        default: .failed(ErrorNumber(rawValue: Int32(truncatingIfNeeded: -value)))
        }
    }

    /// - Parameter stands: whether the thread is still in the function that made the call.
    private mutating func record(
        _ recorded: ThreadTable.Call, as outcome: TracedCall.Outcome, by thread: Int32, of process: Int32,
        stands: Bool = false
    ) {
        // A second connect on the socket asks how the first has ended.
        if recorded.name == .connect, let inode = recorded.inode, connections.contains(inode),
            let error = outcome.endOfConnection
        {
            return end(pending: inode, error: error)
        }
        var call = TracedCall(
            recorded.name, recorded.subject, outcome, program: program(of: process), descriptor: recorded.descriptor,
            time: max(.zero, recorded.since - start))
        call.duration = MonotonicClock.now() - recorded.since
        call.frames = recorded.frames
        var stack: Int?
        if call.frames.isEmpty && log.isNew(call) {
            stack = keep(isRepeated: log.isRepeated(call)) {
                recorded.stack ?? (stands ? $0.snapshot(of: thread, process) : nil)
            }
        }
        let place = log.add(call, stack: stack)
        threads[last: thread] = place
        guard let place, outcome == .pending, let inode = recorded.inode else { return }
        connections.begin(inode, at: place, since: recorded.since)
    }

    private mutating func end(pending socket: UInt64, error: Int32) {
        guard let connection = connections.end(socket) else { return }
        log.end(
            connection.place, as: error == 0 ? .succeeded(0) : .failed(ErrorNumber(rawValue: error)),
            after: MonotonicClock.now() - connection.since)
    }

    private mutating func take(_ announced: AnnouncedFrames, from thread: Int32) {
        switch announced.call {
        case .next: threads.announce(announced.frames, to: thread)
        case .last:
            if let place = threads[last: thread] { log.tell(place, announced.frames) }
        case .later(let host, let port):
            guard let process = threads.process(of: thread), trace.evidence.announced.count < CallLog.limit else {
                return
            }
            trace.evidence.announced.append(
                AnnouncedCall(
                    program: program(of: process), host: host, port: port, frames: announced.frames, time: elapsed))
        }
    }

    private mutating func take(file path: String, of process: Int32) {
        guard files.count < Self.fileLimit else { return }
        let program = program(of: process)
        guard filesOfPrograms[program, default: 0] < Self.fileLimitOfProgram, files.insert(path).inserted else {
            return
        }
        filesOfPrograms[program, default: 0] += 1
        trace.evidence.openedFiles.append(OpenedFile(path: path, program: program, time: elapsed))
    }

    private static let endLimit = 64
    private static let systemFolders = ["/bin/", "/sbin/", "/usr/bin/", "/usr/sbin/", "/usr/lib/", "/lib/"]

    private mutating func note(
        end outcome: ExitOutcome, of process: Int32, frames: [StackFrame], _ stack: StackSnapshot?
    ) {
        guard trace.evidence.ends.count < Self.endLimit, let program = processes.program(of: process) else { return }
        trace.evidence.ends.append(TracedEnd(program: program, outcome: outcome, frames: frames))
        trace.endStacks.append(stack == nil ? nil : trace.snapshots.snapshots.count)
        if let stack { trace.snapshots.snapshots.append(stack) }
    }

    // MARK: - Stacks

    /// The index of the kept snapshot; `nil` if there is no room for it, or no snapshot.
    private mutating func keep(isRepeated: Bool, _ take: (inout TraceState) -> StackSnapshot?) -> Int? {
        guard stacks.hasRoom(isRepeated: isRepeated), let snapshot = take(&self) else { return nil }
        trace.snapshots.snapshots.append(snapshot)
        stacks.keep(isRepeated: isRepeated)
        return trace.snapshots.snapshots.count - 1
    }

    private mutating func snapshot(of thread: Int32, _ process: Int32) -> StackSnapshot? {
        var stack: UInt64 = 0
        var registers = [UInt64](repeating: 0, count: Int(clinux_register_limit))
        let count = unsafe registers.withUnsafeMutableBufferPointer {
            unsafe clinux_get_registers(thread, $0.baseAddress, &stack)
        }
        guard count > 0 else { return nil }
        registers.removeLast(registers.count - Int(count))
        let memory = ClientMemory(process: process, is32Bit: false)
        // The end of the stack may be nearer: then fewer octets are read.
        let octets = memory.octets(at: stack, count: Self.stackLimit)
        return StackSnapshot(
            registers: registers, stackAddress: stack, stack: octets, map: map(of: process),
            makers: Goroutine(registers, in: memory)?.makers ?? [])
    }

    private mutating func map(of process: Int32) -> Int {
        let text = ProcessFiles(process).maps
        if let known = processes[map: process], trace.snapshots.maps[known] == text { return known }
        trace.snapshots.maps.append(text)
        processes[map: process] = trace.snapshots.maps.count - 1
        return trace.snapshots.maps.count - 1
    }
}

extension TracedCall.Outcome {
    /// The error with which a pending connection has ended, by the outcome of a second connect on its socket; `nil` if it is still pending.
    fileprivate var endOfConnection: Int32? {
        switch self {
        case .succeeded: 0
        case .failed(let error) where error.rawValue == EISCONN: 0
        case .failed(let error): error.rawValue == EALREADY || error == .interrupted ? nil : error.rawValue
        case .pending, .unknown: nil
        }
    }
}
