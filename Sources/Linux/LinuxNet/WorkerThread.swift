// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
internal import Synchronization

/// A thread with a name, which its owner joins.
@safe
package struct WorkerThread: ~Copyable {
    private let thread: pthread_t

    /// Starts a thread. It inherits the caller's signal mask.
    /// - Parameter name: at most 15 octets are kept; shown by `ps -L` and `top -H`.
    package static func start(
        name: String, stackSize: Int = 1 << 20, _ body: @escaping @Sendable () -> Void
    ) throws(SystemError) -> WorkerThread {
        let start = unsafe Unmanaged.passRetained(Start(name: name, body: body))
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setstacksize(&attributes, stackSize)
        var thread = pthread_t()
        let error = unsafe pthread_create(
            &thread, &attributes,
            { argument in
                let start = unsafe Unmanaged<Start>.fromOpaque(argument!).takeRetainedValue()
                unsafe clinux_name_thread(start.name)
                start.body()
                return nil
            }, start.toOpaque())
        guard error == 0 else {
            unsafe start.release()
            throw SystemError("pthread_create", Errno(error), what: name)
        }
        return WorkerThread(thread: thread)
    }

    /// Starts a thread that takes over a value.
    package static func start<Value: ~Copyable>(
        name: String, with value: consuming sending Value, _ body: @escaping @Sendable (consuming Value) -> Void
    ) throws(SystemError) -> WorkerThread {
        let handover = Handover(value)
        return try start(name: name) {
            if let value = handover.take() { body(value) }
        }
    }

    private final class Handover<Value: ~Copyable>: Sendable {
        private let value: Mutex<Value?>

        init(_ value: consuming sending Value) {
            self.value = Mutex(consume value)
        }

        func take() -> sending Value? { value.withLock { $0.take() } }
    }

    /// Gives the calling thread a sixtieth of another thread's share of the processors from now on. This cannot be undone.
    package static func yieldToOthers() {
        // If that is not permitted, the thread continues as before: this is only a courtesy.
        _ = clinux_yield_to_others()
    }

    /// Whether it is the calling thread.
    package var isCurrent: Bool { pthread_equal(thread, pthread_self()) != 0 }

    /// Waits until the thread has ended.
    package consuming func join() {}

    /// Lets the thread run on its own: it is not joined.
    package consuming func detach() {
        let error = pthread_detach(thread)
        precondition(error == 0, "a thread that was waited for")
        discard self
    }

    deinit {
        let error = pthread_join(thread, nil)
        precondition(error == 0, "a thread that waits for itself")
    }

    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
}

// The thread's handle can be joined from any thread.
extension WorkerThread: @unchecked Sendable {}
