internal import CLinux
internal import Evidence
internal import LinuxNet
internal import Wire

/// Follows the threads of a client from stop to stop, and keeps what they did: the state of the tracer's thread.
struct Follower {
    private let start: Instant
    private var trace = Trace()
    private var log = CallLog()
    private var threads: [Int32: Thread] = [:]
    private var processes: [Int32: Process] = [:]
    /// Connections whose end the program has not asked for yet.
    private var pending: [Socket: (place: Int, since: Instant)] = [:]
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

    private struct Thread {
        var process: Int32
        var call: Call?
        /// What the preloaded library has told of the next call.
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

    private struct Socket: Hashable {
        var process: Int32
        var descriptor: Int32
    }

    /// A call in which a thread is.
    private enum Call {
        case recorded(TracedCall.Name, TracedCall.Subject, descriptor: Int32, since: Instant)
        case question(Socket, answer: UInt64)
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
            end(thread)
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
        threads[thread] = Thread(process: thread)
        pending = pending.filter { $0.key.process != thread }
        maps[thread] = nil
        addProgram(of: thread, parent: processes[thread]?.program)
    }

    private mutating func end(_ thread: Int32) {
        threads[thread] = nil
        guard let process = processes[thread] else { return }
        processes[thread] = nil
        pending = pending.filter { $0.key.process != thread }
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
        switch CallReader(process: process, files: ProcessFiles(process)).read(call) {
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
            let socket = Socket(process: process, descriptor: descriptor)
            guard pending[socket] != nil else { return false }
            threads[thread]?.call = .question(socket, answer: answer)
        case .call(let name, let subject, let descriptor):
            threads[thread]?.call = .recorded(name, subject, descriptor: descriptor, since: MonotonicClock.now())
        }
        return true
    }

    private mutating func leaveCall(_ thread: Int32) {
        guard let process = threads[thread]?.process, let call = threads[thread]?.call.take() else { return }
        var value: Int64 = 0
        guard unsafe clinux_get_return(thread, &value) else { return }
        // The kernel's own numbers for a call that a signal cut short and that will be made again (ERESTARTSYS and its kin).
        if (-516 ... -512).contains(value) { return }
        switch call {
        case .recorded(let name, let subject, let descriptor, let since):
            record(name, subject, descriptor, since, returning: value, by: thread, of: process)
        case .question(let socket, let answer):
            if value == 0, let error = ClientMemory(process: process, is32Bit: false).int(at: answer) {
                end(pending: socket, error: error)
            }
        }
    }

    private mutating func record(
        _ name: TracedCall.Name, _ subject: TracedCall.Subject, _ descriptor: Int32, _ since: Instant,
        returning value: Int64, by thread: Int32, of process: Int32
    ) {
        let outcome: TracedCall.Outcome =
            switch value {
            case 0...: .succeeded(Int(value))
            case -Int64(ErrorNumber.inProgress.rawValue) where name == .connect: .pending
            default: .failed(ErrorNumber(rawValue: Int32(truncatingIfNeeded: -value)))
            }
        var call = TracedCall(
            name, subject, outcome, program: program(of: process), descriptor: descriptor,
            time: max(.zero, since - start))
        call.duration = MonotonicClock.now() - since
        call.frames = threads[thread]?.frames ?? []
        threads[thread]?.frames = []
        let stack =
            call.frames.isEmpty && log.isNew(call)
            ? snapshot(of: thread, process, isRepeated: log.isRepeated(call)) : nil
        let place = log.add(call, stack: stack)
        threads[thread]?.last = place
        guard let place, outcome == .pending, pending.count < Self.pendingLimit else { return }
        pending[Socket(process: process, descriptor: descriptor)] = (place, since)
    }

    private mutating func end(pending socket: Socket, error: Int32) {
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

    private mutating func snapshot(of thread: Int32, _ process: Int32, isRepeated: Bool) -> Int? {
        let others = trace.snapshots.snapshots.count - repeatedSnapshots
        guard isRepeated ? repeatedSnapshots < Self.repeatedSnapshotLimit : others < Self.snapshotLimit else {
            return nil
        }
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
        trace.snapshots.snapshots.append(
            StackSnapshot(registers: registers, stackAddress: stack, stack: octets, map: map(of: process)))
        if isRepeated { repeatedSnapshots += 1 }
        return trace.snapshots.snapshots.count - 1
    }

    private mutating func map(of process: Int32) -> Int {
        let text = ProcessFiles(process).maps
        if let known = maps[process], trace.snapshots.maps[known] == text { return known }
        trace.snapshots.maps.append(text)
        maps[process] = trace.snapshots.maps.count - 1
        return trace.snapshots.maps.count - 1
    }
}
