// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Wire

/// The limits of a client that runs: a value without a clock, which is told the time.
struct RunTimes {
    enum Action: Equatable {
        /// Nothing to do until this time; `nil` is no limit.
        case wait(until: Instant?)
        /// The client's time is over: it is asked to end, and has the rest of its grace.
        case askToEnd
        /// The client is to be killed; it had this time.
        case end(after: Duration)
    }

    let start: Instant
    private let timeout: Duration?
    /// Time between the request to end and the kill.
    private let grace: Duration
    /// Whether the client has been asked to end because its time was over.
    private(set) var wasAsked = false

    init(start: Instant, timeout: Duration?, grace: Duration) {
        self.start = start
        self.timeout = timeout
        self.grace = grace
    }

    /// - Parameter graceEnd: the end of the time that the client has after a signal from the user; `nil` if there was none.
    mutating func next(at now: Instant, graceEnd: Instant?) -> Action {
        let timeoutEnd = timeout.map { start + $0 }
        if let timeout, let timeoutEnd, timeoutEnd + grace <= now { return .end(after: timeout) }
        if let timeoutEnd, timeoutEnd <= now, !wasAsked {
            wasAsked = true
            return .askToEnd
        }
        if let graceEnd, graceEnd <= now { return .end(after: now - start) }
        return .wait(until: [wasAsked ? timeoutEnd.map { $0 + grace } : timeoutEnd, graceEnd].compactMap(\.self).min())
    }

    /// The limit that a client exceeded that ended by itself after it was asked to; `nil` if it was not asked.
    var exceeded: Duration? { wasAsked ? timeout : nil }
}
