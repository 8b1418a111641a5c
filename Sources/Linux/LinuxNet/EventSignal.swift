// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// A wake-up from one thread to another (eventfd). Pending wake-ups count as one.
package struct EventSignal: ~Copyable, Sendable {
    private let file: Descriptor

    package init() throws(SystemError) {
        let number = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        if number < 0 { throw .last("eventfd") }
        file = Descriptor(owning: number)
    }

    /// Readable from the first wake-up on.
    package var descriptor: Int32 { file.number }

    /// May be called from any thread.
    package borrowing func wake() {
        // Only a full counter fails, and then a wake-up is already pending.
        _ = eventfd_write(file.number, 1)
    }

    /// Clears the pending wake-ups; returns whether there were any.
    @discardableResult
    package borrowing func clear() -> Bool {
        var count: eventfd_t = 0
        return unsafe eventfd_read(file.number, &count) == 0
    }
}
