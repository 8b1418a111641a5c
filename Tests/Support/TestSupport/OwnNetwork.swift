// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxNet
import Synchronization

/// A network namespace for a test: that of one thread, which CAP_SYS_ADMIN may make.
package enum OwnNetwork {
    package static let isPossible: Bool = {
        let possible = Mutex(false)
        try? run { possible.withLock { $0 = true } }
        return possible.withLock { $0 }
    }()

    /// Runs the body in a thread with a network namespace of its own, or not at all where that is not to be had.
    package static func run(_ body: @escaping @Sendable () throws -> Void) throws {
        let failure = Mutex<(any Error)?>(nil)
        let thread = try WorkerThread.start(name: "own-network") {
            guard clinux_unshare(Int32(clinux_new_network)) == 0 else { return }
            do { try body() } catch { failure.withLock { $0 = error } }
        }
        thread.join()
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
