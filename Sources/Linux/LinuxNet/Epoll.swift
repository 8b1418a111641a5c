// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
package import Wire

/// Waits for many descriptors at once, level-triggered: an event that is not handled is reported again.
///
///     try epoll.add(tun.descriptor, .readable, token: 1)
///     for index in 0..<epoll.wait(until: deadline) { switch epoll[index].token { ... } }
@safe
package struct Epoll: ~Copyable {
    /// Maximum number of events per wait; further ones are returned by the next.
    package static let batch = 64

    package struct Readiness: OptionSet, Hashable, Sendable {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let readable = Readiness(rawValue: EPOLLIN.rawValue)
        package static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
        /// The other end is gone, or has failed; always reported, even if not requested.
        package static let hangUp = Readiness(rawValue: EPOLLHUP.rawValue)
    }

    package struct Event: Hashable, Sendable {
        package let token: UInt64
        package let readiness: Readiness
    }

    /// The watched descriptors; they may be changed while a thread waits.
    package let interests: InterestList
    private let events: UnsafeMutablePointer<epoll_event>

    package init() throws(SystemError) {
        self.init(try InterestList())
    }

    init(_ interests: InterestList) {
        self.interests = interests
        unsafe events = .allocate(capacity: Self.batch)
        unsafe events.initialize(repeating: epoll_event(), count: Self.batch)
    }

    deinit {
        unsafe events.deallocate()
    }

    package borrowing func add(_ descriptor: Int32, _ interest: Readiness, token: UInt64) throws(SystemError) {
        try interests.add(descriptor, interest, token: token)
    }

    package borrowing func modify(_ descriptor: Int32, _ interest: Readiness, token: UInt64) throws(SystemError) {
        try interests.modify(descriptor, interest, token: token)
    }

    package borrowing func remove(_ descriptor: Int32) throws(SystemError) {
        try interests.remove(descriptor)
    }

    /// Waits until a descriptor is ready or the deadline is past, and returns the number of events (0 at the deadline, or after a
    /// signal). Without a deadline it waits for ever; with a past one it only polls.
    package mutating func wait(until deadline: Instant? = nil) -> Int {
        let milliseconds = MonotonicClock.milliseconds(until: deadline)
        let count = unsafe epoll_wait(interests.number, events, Int32(Self.batch), milliseconds)
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

// The epoll is the only owner of the events' memory.
extension Epoll: @unchecked Sendable {}
