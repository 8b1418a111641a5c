// SPDX-License-Identifier: Apache-2.0
internal import Evidence
internal import Wire

/// The current calls of a client's threads. Each call that is entered ends in exactly one way: it returned, a signal interrupted it
/// (EINTR), or it is unfinished, as its thread ended in it.
///
///     enter ──► in the call ──► leave ──► returned
///                   │             │
///                   │             └── a signal cut it short ──► interrupted ──► the same call again: it was restarted (SA_RESTART)
///                   │                                               │
///                   │                                               └── another call, or the thread's end: EINTR
///                   └── the thread's end ──► unfinished
///
/// A pure value that makes no system calls: stops come from `TraceState`, which reads the client's memory. The kernel reuses the ids of
/// threads that have ended; their end is reported before that.
struct ThreadTable {
    /// A recorded call, from its beginning on.
    struct Call {
        var name: TracedCall.Name
        var subject: TracedCall.Subject
        var descriptor: Int32
        /// The socket's; `nil` if it has none.
        var inode: UInt64?
        var since: Instant
        var frames: [StackFrame]
        /// Set for a call that may never return.
        var stack: StackSnapshot?

        func isSame(as other: Call) -> Bool {
            name == other.name && subject == other.subject && descriptor == other.descriptor
        }
    }

    /// A call that a thread has entered.
    enum Entered {
        case recorded(Call)
        /// The outcome of the connection of the socket with this inode.
        case question(UInt64, answer: UInt64)
        case identity(String)
    }

    /// A recorded call that ended without returning.
    struct Cut {
        var call: Call
        var isInterrupted: Bool
    }

    private struct Thread {
        var process: Int32
        var call: Entered?
        /// The call that a signal interrupted, until it is known whether the kernel restarts it.
        var interrupted: Call?
        /// Frames that the preloaded library has announced for the next call, even if that is not recorded.
        var frames: [StackFrame] = []
        /// The index of its last call in the log.
        var last: Int?
    }

    private var threads: [Int32: Thread] = [:]

    /// All thread ids in ascending order.
    var numbers: [Int32] { threads.keys.sorted() }

    /// `nil` for an unknown thread.
    func process(of thread: Int32) -> Int32? { threads[thread]?.process }

    /// A thread begins, or has executed a program: its former calls are discarded.
    mutating func add(_ thread: Int32, of process: Int32) { threads[thread] = Thread(process: process) }

    // MARK: - Frames

    /// Keeps frames that were announced for the next call.
    mutating func announce(_ frames: [StackFrame], to thread: Int32) { threads[thread]?.frames = frames }

    /// Takes the frames that were announced for the next call, which is this one.
    mutating func takeFrames(of thread: Int32) -> [StackFrame] {
        defer { threads[thread]?.frames = [] }
        return threads[thread]?.frames ?? []
    }

    /// The frames that were announced for the next call, which is still to come.
    func frames(of thread: Int32) -> [StackFrame] { threads[thread]?.frames ?? [] }

    /// The index of the thread's last call in the log.
    subscript(last thread: Int32) -> Int? {
        get { threads[thread]?.last }
        set { threads[thread]?.last = newValue }
    }

    // MARK: - Calls

    /// A recorded call begins. A call that a signal interrupted before continues as this one, or has ended.
    /// - Returns: the call as it is entered, and the one that has ended.
    mutating func enter(_ call: Call, by thread: Int32) -> (entered: Call, ended: Cut?) {
        var call = call
        let interrupted = threads[thread]?.interrupted.take()
        var ended: Cut?
        if let interrupted {
            if interrupted.isSame(as: call) {
                call.since = interrupted.since
                if call.frames.isEmpty { call.frames = interrupted.frames }
                call.stack = interrupted.stack
            } else {
                ended = Cut(call: interrupted, isInterrupted: true)
            }
        }
        threads[thread]?.call = .recorded(call)
        return (call, ended)
    }

    /// Keeps a stack that was taken for the thread's current call.
    mutating func keep(_ stack: StackSnapshot?, of thread: Int32) {
        guard case .recorded(var call) = threads[thread]?.call else { return }
        call.stack = stack
        threads[thread]?.call = .recorded(call)
    }

    /// A call begins that is not recorded, but whose end matters.
    mutating func enter(unrecorded call: Entered, by thread: Int32) { threads[thread]?.call = call }

    /// The kernel's internal error numbers for an interrupted call: ERESTARTSYS, ERESTARTNOINTR, ERESTARTNOHAND, ERESTART_RESTARTBLOCK. The
    /// kernel restarts it, or returns EINTR, depending on the signal's handler (SA_RESTART).
    static let restarts: ClosedRange<Int64> = -516 ... -512

    /// A call returns to the thread.
    /// - Returns: the call; `nil` if none has ended that matters.
    mutating func leave(_ thread: Int32, returning value: Int64) -> Entered? {
        guard let call = threads[thread]?.call.take() else { return nil }
        guard Self.restarts.contains(value) else { return call }
        if case .recorded(let call) = call { threads[thread]?.interrupted = call }
        return nil
    }

    /// A thread ends, or executes another program: its current calls did not return.
    /// - Parameter isKilled: whether a signal ended the thread: then an interrupted call did not return either.
    mutating func leaveUnfinished(_ thread: Int32, isKilled: Bool) -> [Cut] {
        var ended: [Cut] = []
        if let call = threads[thread]?.interrupted.take() { ended.append(Cut(call: call, isInterrupted: !isKilled)) }
        if case .recorded(let call) = threads[thread]?.call.take() {
            ended.append(Cut(call: call, isInterrupted: false))
        }
        return ended
    }

    /// Removes a thread that has ended. `leaveUnfinished` must be called before.
    mutating func remove(_ thread: Int32) { threads[thread] = nil }
}
