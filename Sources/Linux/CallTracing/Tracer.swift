// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
package import LinuxNet
internal import Synchronization
package import Wire

/// Follows a client and its descendants through the calls with which they touch the network.
///
/// Theory of operation. The kernel lets one thread follow a process, and tells only that thread of its stops; so the tracer is a thread,
/// which lives from `start` until the last of the client's processes has ended. It looks at a thread of the client that is stopped at a
/// call, lets it go on, and looks again at the call's end. Of a call that it has not seen before it takes the stack along. It parses
/// nothing of that: another process does, without rights, when the run is over.
///
/// If this process ends, the kernel kills everything that it follows (PTRACE_O_EXITKILL): a client whose calls fail because nobody
/// follows it any more is never judged.
package final class Tracer: Sendable {
    private let shared: Shared
    private let thread = Mutex<WorkerThread?>(nil)

    /// What the thread has of this: not the tracer itself, which it may outlive.
    private final class Shared: Sendable {
        let state = Mutex(State())
        let change: EventSignal

        init() throws(SystemError) {
            change = try EventSignal()
        }
    }

    private struct State {
        /// Whether it follows; `nil` until that is known.
        var beginning: Result<Void, SystemError>?
        var trace: Trace?
    }

    /// - Parameters:
    ///   - client: the process, which waits for that, and stops at its calls afterwards (`clinux_stop_at_calls`).
    ///   - start: what times are counted from.
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
        // It ends with what it follows, which may be later: whoever waited for it here could not end that.
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

    /// What was seen, when everything that is followed has ended; `nil` if the kernel does not end it until then: the process has to
    /// end as well.
    package func finish(until deadline: Instant) -> Trace? {
        while true {
            if let trace = shared.state.withLock({ $0.trace.take() }) { return trace }
            if MonotonicClock.now() >= deadline { return nil }
            _ = waitForInput(shared.change.descriptor, -1, until: deadline)
            shared.change.clear()
        }
    }
}
