internal import Glibc
public import Wire

/// Waits until one of the descriptors (the second may be -1) has something to read; false where the deadline came first.
public func waitForInput(_ first: Int32, _ second: Int32 = -1, until deadline: Instant?) -> Bool {
    var sources = (
        pollfd(fd: first, events: Int16(POLLIN), revents: 0), pollfd(fd: second, events: Int16(POLLIN), revents: 0)
    )
    while true {
        var milliseconds: Int32 = -1
        if let deadline {
            let remaining = max(0, (deadline - MonotonicClock.now()).wholeNanoseconds)
            milliseconds = Int32(clamping: remaining / 1_000_000 + (remaining % 1_000_000 > 0 ? 1 : 0))
        }
        let ready = unsafe withUnsafeMutableBytes(of: &sources) {
            unsafe poll($0.assumingMemoryBound(to: pollfd.self).baseAddress, 2, milliseconds)
        }
        if ready > 0 { return true }
        if ready == 0 { return false }
    }
}
