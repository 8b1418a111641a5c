internal import CLinux
internal import Glibc
package import Wire

/// Waits for many descriptors at once, level-triggered: what is not dealt with is reported again.
///
///     try epoll.add(tun.descriptor, .readable, token: 1)
///     for index in 0..<epoll.wait(until: deadline) { switch epoll[index].token { ... } }
@safe
package struct Epoll: ~Copyable {
    /// At most this many events come from one wait; the others come from the next.
    package static let batch = 64

    package struct Readiness: OptionSet, Hashable, Sendable {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let readable = Readiness(rawValue: EPOLLIN.rawValue)
        package static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
        /// The other end is gone, or has failed; reported without being asked for.
        package static let hangUp = Readiness(rawValue: EPOLLHUP.rawValue)
    }

    package struct Event: Hashable, Sendable {
        package let token: UInt64
        package let readiness: Readiness
    }

    private let file: Descriptor
    private let events: UnsafeMutablePointer<epoll_event>

    package init() throws(SystemError) {
        let number = epoll_create1(Int32(EPOLL_CLOEXEC))
        if number < 0 { throw .last("epoll_create1") }
        file = Descriptor(owning: number)
        unsafe events = .allocate(capacity: Self.batch)
        unsafe events.initialize(repeating: epoll_event(), count: Self.batch)
    }

    deinit {
        unsafe events.deallocate()
    }

    /// Watches a descriptor. It leaves by itself when its last number is closed.
    package borrowing func add(_ descriptor: Int32, _ interest: Readiness, token: UInt64) throws(SystemError) {
        try control(EPOLL_CTL_ADD, descriptor, interest, token, "epoll_ctl(EPOLL_CTL_ADD)")
    }

    /// Changes what a watched descriptor is watched for, and its token.
    package borrowing func modify(_ descriptor: Int32, _ interest: Readiness, token: UInt64) throws(SystemError) {
        try control(EPOLL_CTL_MOD, descriptor, interest, token, "epoll_ctl(EPOLL_CTL_MOD)")
    }

    package borrowing func remove(_ descriptor: Int32) throws(SystemError) {
        try control(EPOLL_CTL_DEL, descriptor, [], 0, "epoll_ctl(EPOLL_CTL_DEL)")
    }

    private borrowing func control(
        _ operation: Int32, _ descriptor: Int32, _ interest: Readiness, _ token: UInt64, _ call: String
    ) throws(SystemError) {
        var event = unsafe epoll_event(events: interest.rawValue, data: epoll_data_t(u64: token))
        if unsafe epoll_ctl(file.number, operation, descriptor, &event) != 0 { throw .last(call) }
    }

    /// Waits until something is ready or the deadline is past, and returns how many events there are (0 at the deadline, or
    /// when a signal came). Without a deadline it waits for ever; with one that has passed it only looks.
    package mutating func wait(until deadline: Instant? = nil) -> Int {
        var milliseconds: Int32 = -1
        if let deadline {
            let remaining = max(0, (deadline - MonotonicClock.now()).wholeNanoseconds)
            // Rounded up, so that the deadline has passed when we come back.
            milliseconds = Int32(clamping: remaining / 1_000_000 + (remaining % 1_000_000 > 0 ? 1 : 0))
        }
        let count = unsafe epoll_wait(file.number, events, Int32(Self.batch), milliseconds)
        precondition(count >= 0 || errno == EINTR, "epoll_wait: a bad descriptor")
        return Int(max(0, count))
    }

    /// One of the last wait's events.
    package subscript(index: Int) -> Event {
        precondition((0..<Self.batch).contains(index))
        let (bits, token) = unsafe (events[index].events, events[index].data.u64)
        var readiness = Readiness(rawValue: bits).intersection([.readable, .writable, .hangUp])
        if bits & EPOLLERR.rawValue != 0 { readiness.insert(.hangUp) }
        return Event(token: token, readiness: readiness)
    }
}

// The events' memory is the epoll's own, and nobody else points at it.
extension Epoll: @unchecked Sendable {}
