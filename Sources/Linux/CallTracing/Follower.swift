// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Evidence
internal import Glibc
internal import LinuxNet
internal import Wire

/// Follows the threads of a client from stop to stop, and keeps what they did: the state of the tracer's thread.
struct Follower {
    private let start: Instant
    private var trace = Trace()
    private var log = CallLog()
    private var threads: [Int32: Thread] = [:]
    private var processes: [Int32: Process] = [:]
    /// Connections whose end the program has not asked for yet, by the sockets' inodes: a descriptor's number may be another socket's by then.
    /// A socket that is closed unasked stays here until `pendingLimit`.
    private var pending: [UInt64: (place: Int, since: Instant)] = [:]
    /// How many stacks were taken along at the beginning of a call, by what it is about.
    private var stacksAtBeginning: [TracedCall.Subject: Int] = [:]
    private var files: Set<String> = []
    /// How many of them each program was the first to open.
    private var filesOfPrograms: [Int: Int] = [:]
    /// Snapshots of calls to an address that were made before.
    private var repeatedSnapshots = 0
    /// The last map of each process that has snapshots.
    private var maps: [Int32: Int] = [:]

    /// More say nothing new.
    private static let programLimit = 512
    private static let fileLimit = 4096
    /// A compiler opens hundreds, and more that are not there, before what it has made opens one.
    private static let fileLimitOfProgram = 1024
    private static let snapshotLimit = 256
    /// The same of calls to an address that were made before: they leave the others their room.
    private static let repeatedSnapshotLimit = 64
    /// A call from deeper down is in a program that has lost its way, or has a large array in a function: the innermost frames are there.
    private static let stackLimit = 64 << 10
    private static let pendingLimit = 4096
    /// As many as there are entries of a call in the log.
    private static let stackLimitAtBeginning = 8
    private static let subjectLimitAtBeginning = 64

    /// What a thread is doing. Each call that is recorded ends in exactly one way: it returned, a signal interrupted it (EINTR), or it is
    /// unfinished, as its thread ended in it.
    ///
    ///     enterCall ──► call ──► leaveCall ──► record(returning:)
    ///                    │           │
    ///                    │           └── a signal cut it short ──► interrupted ──► the same call again: it was restarted (SA_RESTART)
    ///                    │                                             │
    ///                    │                                             └── another call, or the thread's end: record(EINTR)
    ///                    └── the thread's end ──► record(unknown)
    private struct Thread {
        var process: Int32
        var call: Call?
        /// The call that a signal cut short, until it is known whether the kernel makes it again.
        var interrupted: RecordedCall?
        /// What the preloaded library has told of the next call: it belongs to that, recorded or not.
        var frames: [StackFrame] = []
        /// Where its last call is in the log.
        var last: Int?
    }

    private struct Process {
        /// Where in the evidence the program is that it runs.
        var program: Int
        /// Whether that entry is this process's, and not the one of the process that forked it.
        var isOwn: Bool
    }

    private struct RecordedCall {
        var name: TracedCall.Name
        var subject: TracedCall.Subject
        var descriptor: Int32
        /// Of its socket; `nil` if it has none.
        var inode: UInt64?
        var since: Instant
        var frames: [StackFrame]
        /// Of a call that may never return.
        var stack: StackSnapshot?

        func isSame(as other: RecordedCall) -> Bool {
            name == other.name && subject == other.subject && descriptor == other.descriptor
        }
    }

    /// A call in which a thread is.
    private enum Call {
        case recorded(RecordedCall)
        /// How the connection of the socket with this inode ended.
        case question(UInt64, answer: UInt64)
        case identity(String)
    }

    init(since start: Instant) {
        self.start = start
    }

    /// Begins with a process that is followed already.
    mutating func begin(with process: Int32) {
        threads[process] = Thread(process: process)
        // It is about to execute the client: that will be the first program.
    }

    /// What was seen, when all have ended.
    consuming func finish() -> Trace {
        for thread in threads.keys.sorted() { leaveUnfinished(thread, isKilled: true) }
        let entries = log.entries
        trace.evidence.calls = entries.map(\.call)
        trace.stacks = entries.map(\.stack)
        trace.evidence.lost = log.lost
        noteRings()
        return trace
    }

    /// What is submitted to a ring is no system call. Nothing is missing where the program makes calls of its own as well.
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

    /// Takes a stop, and lets the thread go on.
    mutating func handle(_ stop: clinux_stop) {
        let thread = stop.thread
        var manner = clinux_go_on
        var signal: Int32 = 0
        switch Int(stop.kind) {
        case clinux_stop_ended:
            // WIFSIGNALED: the low seven bits of the status are the signal.
            end(thread, isKilled: stop.value & 0x7f != 0)
            return
        case clinux_stop_call: manner = enterCall(thread) ? clinux_finish_call : clinux_go_on
        case clinux_stop_return: leaveCall(thread)
        case clinux_stop_started: started(Int32(truncatingIfNeeded: stop.value), by: thread)
        case clinux_stop_executed: executed(thread, formerly: Int32(truncatingIfNeeded: stop.value))
        case clinux_stop_signal: signal = Int32(truncatingIfNeeded: stop.value)
        case clinux_stop_stopped: manner = clinux_stay_stopped
        default: meet(thread)
        }
        // One that was killed in the meantime will be seen to end.
        _ = clinux_let_go(thread, Int32(manner), signal)
    }

    private mutating func meet(_ thread: Int32) {
        guard threads[thread] == nil, let status = ProcessFiles(thread).status else { return }
        let program = processes[status.process]?.program ?? processes[status.parent]?.program
        add(thread, of: status.process, running: program)
    }

    private mutating func started(_ child: Int32, by thread: Int32) {
        guard threads[child] == nil, let status = ProcessFiles(child).status else { return }
        add(child, of: status.process, running: threads[thread].flatMap { processes[$0.process]?.program })
    }

    private mutating func add(_ thread: Int32, of process: Int32, running program: Int?) {
        threads[thread] = Thread(process: process)
        if processes[process] == nil, let program { processes[process] = Process(program: program, isOwn: false) }
    }

    private mutating func executed(_ thread: Int32, formerly former: Int32) {
        // The kernel gives the thread that executes the number of its process; the others are gone.
        if former != thread { threads[former] = nil }
        leaveUnfinished(thread, isKilled: true)
        threads[thread] = Thread(process: thread)
        maps[thread] = nil
        addProgram(of: thread, parent: processes[thread]?.program)
    }

    private mutating func end(_ thread: Int32, isKilled: Bool) {
        leaveUnfinished(thread, isKilled: isKilled)
        threads[thread] = nil
        guard let process = processes[thread] else { return }
        processes[thread] = nil
        maps[thread] = nil
        if process.isOwn { trace.evidence.programs[process.program].end = elapsed }
    }

    private var elapsed: Duration { max(.zero, MonotonicClock.now() - start) }

    // MARK: - Programs

    private mutating func addProgram(of process: Int32, parent: Int?) {
        if let former = processes[process], former.isOwn { trace.evidence.programs[former.program].end = elapsed }
        guard trace.evidence.programs.count < Self.programLimit else {
            // The last one stands for the rest.
            processes[process] = Process(program: Self.programLimit - 1, isOwn: false)
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
        processes[process] = Process(program: trace.evidence.programs.count - 1, isOwn: true)
    }

    /// Where the program of a process stands in the evidence. A child that was forked and did not execute anything gets an entry of its
    /// own when it does something.
    private mutating func program(of process: Int32) -> Int {
        let known = processes[process]
        if known?.isOwn != true { addProgram(of: process, parent: known?.program) }
        return processes[process]?.program ?? 0
    }

    // MARK: - Calls

    /// - Returns: whether the end of the call is of interest.
    private mutating func enterCall(_ thread: Int32) -> Bool {
        var call = clinux_traced_call()
        guard unsafe clinux_get_call(thread, &call) else { return false }
        if threads[thread] == nil { meet(thread) }
        guard let process = threads[thread]?.process else { return false }
        let announced = threads[thread]?.frames ?? []
        // What is announced belongs to this call, unless this is an announcement itself, or one of the files that an interpreter opens meanwhile.
        if Int(call.call) != clinux_called_openat { threads[thread]?.frames = [] }
        let reader = CallReader(process: process, files: ProcessFiles(process))
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
        case .question(let descriptor, let answer):
            if pending.isEmpty { return false }
            guard let socket = reader.inode(of: descriptor), pending[socket] != nil else { return false }
            threads[thread]?.call = .question(socket, answer: answer)
        case .identity(let function):
            // Elsewhere it returns what it returns on the machine.
            guard reader.files.hasOneUser else { return false }
            threads[thread]?.call = .identity(function)
        case .call(let name, let subject, let descriptor, let inode):
            var call = RecordedCall(
                name: name, subject: subject, descriptor: descriptor, inode: inode, since: MonotonicClock.now(),
                frames: announced)
            threads[thread]?.frames = []
            if let interrupted = threads[thread]?.interrupted.take() {
                if interrupted.isSame(as: call) {
                    call.since = interrupted.since
                    if call.frames.isEmpty { call.frames = interrupted.frames }
                    call.stack = interrupted.stack
                } else {
                    record(interrupted, as: .failed(.interrupted), by: thread, of: process)
                }
            }
            if name == .connect, call.frames.isEmpty, call.stack == nil {
                call.stack = stackAtBeginning(of: call, thread, process)
            }
            threads[thread]?.call = .recorded(call)
        }
        return true
    }

    /// The stack of a connection that may never return: then its thread's memory is gone.
    private mutating func stackAtBeginning(of call: RecordedCall, _ thread: Int32, _ process: Int32) -> StackSnapshot? {
        let known = stacksAtBeginning[call.subject]
        guard known ?? 0 < Self.stackLimitAtBeginning,
            known != nil || stacksAtBeginning.count < Self.subjectLimitAtBeginning
        else { return nil }
        stacksAtBeginning[call.subject, default: 0] += 1
        return snapshot(of: thread, process)
    }

    /// A thread has ended, or runs another program: the call that it was in never returned.
    /// - Parameter isKilled: whether a signal ended it: then a call that was cut short did not return either.
    private mutating func leaveUnfinished(_ thread: Int32, isKilled: Bool) {
        guard let process = threads[thread]?.process else { return }
        if let interrupted = threads[thread]?.interrupted.take() {
            record(interrupted, as: isKilled ? .unknown : .failed(.interrupted), by: thread, of: process)
        }
        if case .recorded(let call) = threads[thread]?.call.take() {
            record(call, as: .unknown, by: thread, of: process)
        }
    }

    private mutating func leaveCall(_ thread: Int32) {
        guard let process = threads[thread]?.process, let call = threads[thread]?.call.take() else { return }
        var value: Int64 = 0
        guard unsafe clinux_get_return(thread, &value) else { return }
        // The kernel's own numbers for a call that a signal cut short: ERESTARTSYS, ERESTARTNOINTR, ERESTARTNOHAND, ERESTART_RESTARTBLOCK. It is made
        // again, or returns EINTR, as the signal's handler was installed (SA_RESTART).
        if (-516 ... -512).contains(value) {
            if case .recorded(let call) = call { threads[thread]?.interrupted = call }
            return
        }
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

    /// - Parameter stands: whether the thread is still where it made the call.
    private mutating func record(
        _ recorded: RecordedCall, as outcome: TracedCall.Outcome, by thread: Int32, of process: Int32,
        stands: Bool = false
    ) {
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
        threads[thread]?.last = place
        guard let place, outcome == .pending, let inode = recorded.inode, pending.count < Self.pendingLimit else {
            return
        }
        pending[inode] = (place, recorded.since)
    }

    private mutating func end(pending socket: UInt64, error: Int32) {
        guard let connection = pending.removeValue(forKey: socket) else { return }
        log.end(
            connection.place, as: error == 0 ? .succeeded(0) : .failed(ErrorNumber(rawValue: error)),
            after: MonotonicClock.now() - connection.since)
    }

    private mutating func take(_ announced: AnnouncedFrames, from thread: Int32) {
        switch announced.call {
        case .next: threads[thread]?.frames = announced.frames
        case .last:
            if let place = threads[thread]?.last { log.tell(place, announced.frames) }
        case .later(let host, let port):
            guard let process = threads[thread]?.process, trace.evidence.announced.count < CallLog.limit else { return }
            trace.evidence.announced.append(
                AnnouncedCall(program: program(of: process), host: host, port: port, frames: announced.frames))
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

    // MARK: - Stacks

    /// Where the snapshot is among those that are kept; `nil` if there is no room for it, or none.
    private mutating func keep(isRepeated: Bool, _ take: (inout Follower) -> StackSnapshot?) -> Int? {
        let others = trace.snapshots.snapshots.count - repeatedSnapshots
        guard isRepeated ? repeatedSnapshots < Self.repeatedSnapshotLimit : others < Self.snapshotLimit,
            let snapshot = take(&self)
        else { return nil }
        trace.snapshots.snapshots.append(snapshot)
        if isRepeated { repeatedSnapshots += 1 }
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
        // The stack's end may be nearer: then less is there.
        let octets = memory.octets(at: stack, count: Self.stackLimit)
        return StackSnapshot(registers: registers, stackAddress: stack, stack: octets, map: map(of: process))
    }

    private mutating func map(of process: Int32) -> Int {
        let text = ProcessFiles(process).maps
        if let known = maps[process], trace.snapshots.maps[known] == text { return known }
        trace.snapshots.maps.append(text)
        maps[process] = trace.snapshots.maps.count - 1
        return trace.snapshots.maps.count - 1
    }
}
