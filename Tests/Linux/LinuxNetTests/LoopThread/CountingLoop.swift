// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Wire

@testable import LinuxNet

/// Counts what a loop tells it, and reads the octets of a socket.
struct CountingLoop: LoopState, ~Copyable {
    var socket: UnixSocket
    var nextDeadline: Instant?
    var octets: [UInt8] = []
    var rounds = 0
    var advances = 0
    var isFinished = false
    /// Held while a descriptor is dealt with.
    let gate: Gate?

    init(_ socket: consuming UnixSocket, _ interests: InterestList, gate: Gate? = nil) throws(SystemError) {
        try interests.add(socket.descriptor, .readable, token: 7)
        self.socket = socket
        self.gate = gate
    }

    mutating func begin(at now: Instant) { rounds += 1 }

    mutating func handle(_ event: Epoll.Event) {
        precondition(event.token == 7)
        if case .message(let message, _) = try? socket.receive(upTo: 16, waiting: false) { octets += message }
        gate?.pass()
    }

    mutating func advance() {
        advances += 1
        if let deadline = nextDeadline, deadline <= MonotonicClock.now() { nextDeadline = nil }
    }

    mutating func finish() { isFinished = true }
}

/// Keeps a loop in the middle of a round until it is opened.
final class Gate: Sendable {
    let isReached = Reply<Void>()
    private let opening = Reply<Void>()
    private let isUsed = Atomic(false)

    /// Only the first comer stops at it.
    func pass() {
        if isUsed.exchange(true, ordering: .sequentiallyConsistent) { return }
        isReached.give(())
        opening.wait()
    }

    func open() { opening.give(()) }
}

/// A loop, and the other end of its socket.
struct CountingPair: ~Copyable {
    let loop: LoopThread<CountingLoop>
    let other: UnixSocket

    init(named name: String = "counting", gate: Gate? = nil) throws {
        let pair = try UnixSocket.pair()
        let interests = try InterestList()
        loop = try LoopThread(name: name, try CountingLoop(pair.first, interests, gate: gate), on: interests)
        other = pair.second
    }

    borrowing func send(_ octets: [UInt8]) throws {
        try other.send(octets.span, descriptor: nil)
    }

    consuming func takeOther() -> UnixSocket { other }
}
