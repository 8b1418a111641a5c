internal import CLinux
internal import Glibc

/// A wake-up from one thread to another (eventfd). Wake-ups that were not taken yet count as one.
package struct EventSignal: ~Copyable, Sendable {
    private let file: Descriptor

    package init() throws(SystemError) {
        let number = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        if number < 0 { throw .last("eventfd") }
        file = Descriptor(owning: number)
    }

    /// Readable once rung.
    package var descriptor: Int32 { file.number }

    /// Can be called from any thread.
    package borrowing func ring() {
        // Only a full counter fails, and then the wake-up is there already.
        _ = eventfd_write(file.number, 1)
    }

    /// Makes it silent again; whether it had been rung.
    @discardableResult
    package borrowing func hear() -> Bool {
        var count: eventfd_t = 0
        return unsafe eventfd_read(file.number, &count) == 0
    }
}
