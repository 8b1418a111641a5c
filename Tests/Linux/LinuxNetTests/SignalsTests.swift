// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization
import Testing

@testable import LinuxNet

@Suite struct `A signal queue` {
    @Test func `gives one number for each signal, in the thread that blocks it`() throws {
        let seen = Mutex<[Int32?]>([])
        // In a thread of its own, so that the signals stay there.
        let thread = try WorkerThread.start(name: "signals") {
            let signals: SignalSet = [SignalSet(number: SIGUSR1), SignalSet(number: SIGUSR2)]
            Signals.block(signals)
            guard let queue = try? SignalQueue(signals) else { return }
            let before = queue.next()
            pthread_kill(pthread_self(), SIGUSR2)
            let first = queue.next()
            let second = queue.next()
            seen.withLock { $0 = [before, first, second] }
        }
        thread.join()
        #expect(seen.withLock { $0 } == [nil, SIGUSR2, nil])
    }
}

@Suite struct `The process's signals` {
    @Test func `can be ignored, and are told from those that are not`() {
        let urgent = SignalSet(number: SIGURG)
        Signals.ignore(urgent)
        #expect(Signals.ignored.isSuperset(of: urgent))
        Signals.restoreDefault(urgent)
        #expect(Signals.ignored.isDisjoint(with: urgent))
    }
}
