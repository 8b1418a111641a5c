// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import Wire

/// Waits until one of the descriptors (the second may be -1) has something to read; false where the deadline came first.
package func waitForInput(_ first: Int32, _ second: Int32 = -1, until deadline: Instant?) -> Bool {
    waitForInput([first, second], until: deadline)
}

/// Waits until one of the descriptors has something to read; false where the deadline came first. -1 stands for none.
package func waitForInput(_ descriptors: [Int32], until deadline: Instant?) -> Bool {
    var sources = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while true {
        let ready = unsafe poll(&sources, nfds_t(sources.count), MonotonicClock.milliseconds(until: deadline))
        if ready > 0 { return true }
        if ready == 0 { return false }
    }
}

/// Waits until the descriptor takes output, or its other end has gone; false where the deadline came first.
package func waitForOutput(_ descriptor: Int32, until deadline: Instant) -> Bool {
    var source = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while true {
        let ready = unsafe poll(&source, 1, MonotonicClock.milliseconds(until: deadline))
        if ready >= 0 { return ready > 0 }
    }
}

/// Whether the other end of a pipe or socket has gone, so that what is written to it is not read.
package func hasNoReader(_ descriptor: Int32) -> Bool {
    var source = pollfd(fd: descriptor, events: 0, revents: 0)
    return unsafe poll(&source, 1, 0) == 1 && source.revents & Int16(POLLERR) != 0
}

/// Lets the thread sleep until then.
package func sleep(until deadline: Instant) {
    _ = waitForInput([], until: deadline)
}
