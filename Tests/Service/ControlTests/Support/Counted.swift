// SPDX-License-Identifier: Apache-2.0
import Control
import Foundation
import Synchronization

/// Counts events, and blocks their sender while it is paused.
final class Counted: Sendable {
    private struct Counts {
        var received = 0
        var dropped = 0
        var lost = 0
        var isPaused = false
    }

    private let counts = Mutex(Counts())

    var received: Int { counts.withLock(\.received) }
    var dropped: Int { counts.withLock(\.dropped) }
    /// As the events of that kind say, without those that were no drops.
    var lost: Int { counts.withLock(\.lost) }

    func pause() { counts.withLock { $0.isPaused = true } }
    func resume() { counts.withLock { $0.isPaused = false } }

    func add(_ event: Event) {
        while counts.withLock(\.isPaused) { usleep(1000) }
        counts.withLock { counts in
            counts.received += 1
            switch event.kind {
            case .dropped: counts.dropped += 1
            case .lost: counts.lost += event.details["count"].flatMap { Int($0) } ?? 0
            default: break
            }
        }
    }
}
