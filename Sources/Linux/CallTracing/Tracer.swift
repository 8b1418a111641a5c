// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
package import LinuxNet
internal import Synchronization
package import Wire

/// Traces the network calls of a client and its descendants.
///
/// Theory of operation. The kernel lets one thread trace a process, and reports the process's stops only to that thread; so the tracer is a
/// thread, which lives from `start` until the last of the client's processes has ended. It inspects a thread of the client that is stopped
/// at a call, continues it, and inspects it again at the call's end. For a call that it has not seen before it copies the stack, which it
/// does not parse: another process does, without rights, after the run.
///
/// If this process ends, the kernel kills all traced processes (PTRACE_O_EXITKILL): a client whose calls fail for lack of a tracer is
/// never judged.
package final class Tracer: Sendable {
    private let shared: Shared
    private let thread = Mutex<WorkerThread?>(nil)

    /// The part that the thread retains: not the tracer itself, which it may outlive.
    private final class Shared: Sendable {
        let state = Mutex(State())
        let change: EventSignal

        init() throws(SystemError) {
            change = try EventSignal()
        }
    }

    private struct State {
        /// Whether tracing has begun; `nil` until that is known.
        var beginning: Result<Void, SystemError>?
        var trace: Trace?
    }

    /// - Parameters:
    ///   - client: the process, which waits until it is traced, and afterwards stops at its calls (`clinux_stop_at_calls`).
    ///   - start: the origin of all times.
    package init(following client: Int32, since start: Instant) throws(SystemError) {
        let shared = try Shared()
        self.shared = shared
        var started: WorkerThread? = try WorkerThread.start(name: "tracer") {
            Self.follow(client, since: start, telling: shared)
        }
        thread.withLock { $0 = started.take() }
        // The kernel answers at once.
        while true {
            if let beginning = shared.state.withLock({ $0.beginning }) {
                try beginning.get()
                return
            }
            _ = waitForInput(shared.change.descriptor, -1, until: nil)
            shared.change.clear()
        }
    }

    deinit {
        // The thread ends with the traced processes, possibly later: a caller that waited here could not end them.
        let running = thread.withLock { thread in thread.take() }
        running?.detach()
    }

    private static func follow(_ client: Int32, since start: Instant, telling shared: Shared) {
        if clinux_trace(client) != 0 {
            let error = SystemError("ptrace(PTRACE_SEIZE)", Errno(errno))
            shared.state.withLock { $0.beginning = .failure(error) }
            shared.change.wake()
            return
        }
        shared.state.withLock { $0.beginning = .success(()) }
        shared.change.wake()
        var state = TraceState(since: start)
        state.begin(with: client)
        while true {
            let stop = clinux_await_stop()
            if stop.kind == clinux_stop_none { break }
            state.handle(stop)
        }
        let trace = state.finish()
        shared.state.withLock { $0.trace = trace }
        shared.change.wake()
    }

    /// The trace, once all traced processes have ended; `nil` if some have not ended by the deadline: then this process must end as well.
    package func finish(until deadline: Instant) -> Trace? {
        while true {
            if let trace = shared.state.withLock({ $0.trace.take() }) { return trace }
            if MonotonicClock.now() >= deadline { return nil }
            _ = waitForInput(shared.change.descriptor, -1, until: deadline)
            shared.change.clear()
        }
    }
}
