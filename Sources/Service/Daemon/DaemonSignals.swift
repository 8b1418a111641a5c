// SPDX-License-Identifier: Apache-2.0
import LinuxNet

/// The signals that have come. During the start, an ending signal ends the daemon at the next step, and a reload waits until after it.
struct DaemonSignals: ~Copyable {
    private let queue: SignalQueue
    private var hasEnd = false
    private var hasReload = false

    init(_ queue: consuming SignalQueue) {
        self.queue = queue
    }

    /// Readable when one has come.
    var descriptor: Int32 { queue.descriptor }

    /// Whether a signal has come that ends the daemon.
    var areToEnd: Bool {
        mutating get {
            take()
            return hasEnd
        }
    }

    /// Whether a signal has come, since the last call, that has the daemon read its configuration again.
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
