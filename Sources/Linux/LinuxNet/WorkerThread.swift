// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
internal import Synchronization

/// A thread with a name, for which its owner waits at the end.
@safe
package struct WorkerThread: ~Copyable {
    private let thread: pthread_t

    /// Starts a thread. It inherits the blocked signals of the caller.
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

    /// Starts a thread that takes a value over.
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

    /// From now on the calling thread gets a sixtieth of another's share of the processors, and there is no way back.
    package static func yieldToOthers() {
        // Where it may not, it goes on as before: that is a matter of courtesy.
        _ = clinux_yield_to_others()
    }

    /// Whether it is the one that asks.
    package var isCurrent: Bool { pthread_equal(thread, pthread_self()) != 0 }

    /// Waits until the thread has ended.
    package consuming func join() {}

    /// Lets the thread go on by itself: it is not waited for.
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
