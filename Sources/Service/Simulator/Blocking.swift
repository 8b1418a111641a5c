import Dispatch
import Synchronization

/// Waits on this thread for what is done on others.
package func blocking<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
    let box = Box<Value>()
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        let value = await body()
        box.value.withLock { $0 = value }
        done.signal()
    }
    done.wait()
    return box.value.withLock { $0! }
}

private final class Box<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
}
