// SPDX-License-Identifier: Apache-2.0
import Synchronization

@testable import LinuxNet

final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }
    func set() { value.store(true, ordering: .sequentiallyConsistent) }
}

final class Counter: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .sequentiallyConsistent) }
    func add() { count.add(1, ordering: .sequentiallyConsistent) }
}

/// Runs on so many threads, and waits for all of them.
func withThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) throws {
    let replies = (0..<count).map { _ in Reply<Void>() }
    for (index, reply) in replies.enumerated() {
        try WorkerThread.start(name: "asker") {
            body(index)
            reply.give(())
        }.detach()
    }
    for reply in replies { reply.wait() }
}
