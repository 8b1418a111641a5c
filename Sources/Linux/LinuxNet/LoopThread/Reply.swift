// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Synchronization
internal import Wire

/// One value that one thread passes to another.
package final class Reply<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    package init() {}

    /// To be called once.
    package func give(_ value: Value) {
        self.value.withLock { $0 = value }
        isThere.signal()
    }

    /// Waits for the value, once. `nil` if it did not come in time.
    package func wait(atMost limit: Duration) -> Value? {
        let nanoseconds = Int(clamping: limit.wholeNanoseconds)
        guard isThere.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success else { return nil }
        return value.withLock { $0 }
    }

    /// Waits for as long as it takes.
    package func wait() -> Value {
        isThere.wait()
        return value.withLock { $0! }
    }
}
