// SPDX-License-Identifier: Apache-2.0
import LinuxNet

/// The signals that have come, while the daemon starts and later: of the start they end it at the next step, or are a reload after it.
struct DaemonSignals: ~Copyable {
    private let queue: SignalQueue
    private var hasEnd = false
    private var hasReload = false

    init(_ queue: consuming SignalQueue) {
        self.queue = queue
    }

    /// Readable when one has come.
    var descriptor: Int32 { queue.descriptor }

    /// Whether one has come that ends it.
    var areToEnd: Bool {
        mutating get {
            take()
            return hasEnd
        }
    }

    /// Whether one has come, since the last look, that has it read its configuration again.
    var areToReload: Bool {
        mutating get {
            take()
            defer { hasReload = false }
            return hasReload
        }
    }

    private mutating func take() {
        while let signal = queue.next() {
            if SignalSet.hangUp.contains(number: signal) { hasReload = true } else { hasEnd = true }
        }
    }
}
