// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import Wire

/// Waits until one of the descriptors (the second may be -1) is readable; false if the deadline came first.
package func waitForInput(_ first: Int32, _ second: Int32 = -1, until deadline: Instant?) -> Bool {
    waitForInput([first, second], until: deadline)
}

/// Waits until one of the descriptors is readable; false if the deadline came first. Descriptors of -1 are ignored.
package func waitForInput(_ descriptors: [Int32], until deadline: Instant?) -> Bool {
    var sources = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while true {
        let ready = unsafe poll(&sources, nfds_t(sources.count), MonotonicClock.milliseconds(until: deadline))
        if ready > 0 { return true }
        if ready == 0 { return false }
    }
}

/// Waits until the descriptor is writable, or its other end is gone; false if the deadline came first.
package func waitForOutput(_ descriptor: Int32, until deadline: Instant) -> Bool {
    var source = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while true {
        let ready = unsafe poll(&source, 1, MonotonicClock.milliseconds(until: deadline))
        if ready >= 0 { return ready > 0 }
    }
}

/// Whether the other end of a pipe or socket is gone, so that written data is not read.
package func hasNoReader(_ descriptor: Int32) -> Bool {
    var source = pollfd(fd: descriptor, events: 0, revents: 0)
    return unsafe poll(&source, 1, 0) == 1 && source.revents & Int16(POLLERR) != 0
}

/// Suspends the thread until then.
package func sleep(until deadline: Instant) {
    _ = waitForInput([], until: deadline)
}
