// SPDX-License-Identifier: Apache-2.0
internal import Evidence
internal import Wire

/// What the threads of a client are doing. Each call that is entered ends in exactly one way: it returned, a signal interrupted it (EINTR), or
/// it is unfinished, as its thread ended in it.
///
///     enter ──► in the call ──► leave ──► returned
///                   │             │
///                   │             └── a signal cut it short ──► interrupted ──► the same call again: it was restarted (SA_RESTART)
///                   │                                               │
///                   │                                               └── another call, or the thread's end: EINTR
///                   └── the thread's end ──► unfinished
///
/// A value without any look at the system: stops come from `TraceState`, which knows the client's memory. The kernel gives numbers of threads that
/// have ended to others; an end is seen before that.
struct ThreadTable {
    /// A call that is recorded, from its beginning on.
    struct Call {
        var name: TracedCall.Name
        var subject: TracedCall.Subject
        var descriptor: Int32
        /// Of its socket; `nil` if it has none.
        var inode: UInt64?
        var since: Instant
        var frames: [StackFrame]
        /// Of a call that may never return.
        var stack: StackSnapshot?

        func isSame(as other: Call) -> Bool {
            name == other.name && subject == other.subject && descriptor == other.descriptor
        }
    }

    /// A call in which a thread is.
    enum Entered {
        case recorded(Call)
        /// How the connection of the socket with this inode ended.
        case question(UInt64, answer: UInt64)
        case identity(String)
    }

    /// How a recorded call ended without its return.
    struct Cut {
        var call: Call
        var isInterrupted: Bool
    }

    private struct Thread {
        var process: Int32
        var call: Entered?
        /// The call that a signal cut short, until it is known whether the kernel makes it again.
        var interrupted: Call?
        /// What the preloaded library has told of the next call: it belongs to that, recorded or not.
        var frames: [StackFrame] = []
        /// Where its last call is in the log.
        var last: Int?
    }

    private var threads: [Int32: Thread] = [:]

    /// All of them, in order.
    var numbers: [Int32] { threads.keys.sorted() }

    /// `nil` of a thread that is not known.
    func process(of thread: Int32) -> Int32? { threads[thread]?.process }

    /// A thread begins, or has executed a program: what it was in before is gone.
    mutating func add(_ thread: Int32, of process: Int32) { threads[thread] = Thread(process: process) }

    // MARK: - Frames

    /// Frames that were told of the next call.
    mutating func announce(_ frames: [StackFrame], to thread: Int32) { threads[thread]?.frames = frames }

    /// Takes what was told of the next call, which is this one.
    mutating func takeFrames(of thread: Int32) -> [StackFrame] {
        defer { threads[thread]?.frames = [] }
        return threads[thread]?.frames ?? []
    }

    /// What was told of the next call, which is still to come.
    func frames(of thread: Int32) -> [StackFrame] { threads[thread]?.frames ?? [] }

    /// Where the thread's last call is in the log.
    subscript(last thread: Int32) -> Int? {
        get { threads[thread]?.last }
        set { threads[thread]?.last = newValue }
    }

    // MARK: - Calls

    /// A recorded call begins. What a signal cut short before goes on in it, or has ended.
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

    /// A stack that was taken along for the call that a thread is in.
    mutating func keep(_ stack: StackSnapshot?, of thread: Int32) {
        guard case .recorded(var call) = threads[thread]?.call else { return }
        call.stack = stack
        threads[thread]?.call = .recorded(call)
    }

    /// A call begins that is not recorded, and whose end is of interest.
    mutating func enter(unrecorded call: Entered, by thread: Int32) { threads[thread]?.call = call }

    /// The kernel's own numbers for a call that a signal cut short: ERESTARTSYS, ERESTARTNOINTR, ERESTARTNOHAND, ERESTART_RESTARTBLOCK. It is made
    /// again, or returns EINTR, as the signal's handler was installed (SA_RESTART).
    static let restarts: ClosedRange<Int64> = -516 ... -512

    /// A call returns to the thread.
    /// - Returns: the call; `nil` if none of interest ends by that.
    mutating func leave(_ thread: Int32, returning value: Int64) -> Entered? {
        guard let call = threads[thread]?.call.take() else { return nil }
        guard Self.restarts.contains(value) else { return call }
        if case .recorded(let call) = call { threads[thread]?.interrupted = call }
        return nil
    }

    /// A thread ends, or runs another program: the calls that it was in did not return.
    /// - Parameter isKilled: whether a signal ended it: then a call that was cut short did not return either.
    mutating func leaveUnfinished(_ thread: Int32, isKilled: Bool) -> [Cut] {
        var ended: [Cut] = []
        if let call = threads[thread]?.interrupted.take() { ended.append(Cut(call: call, isInterrupted: !isKilled)) }
        if case .recorded(let call) = threads[thread]?.call.take() {
            ended.append(Cut(call: call, isInterrupted: false))
        }
        return ended
    }

    /// A thread is no more. What it was in is to be asked for before.
    mutating func remove(_ thread: Int32) { threads[thread] = nil }
}
