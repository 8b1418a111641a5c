// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import LinuxNet
import Logging
import Synchronization
import Text
import Wire

/// The daemon's log: its format and level, which may change, and the thread that writes it, so that no other thread blocks if
/// the reader of the standard error stream does not read.
final class DaemonLog: Sendable {
    private let settings: Mutex<DaemonConfiguration.Log>
    private let lost = Mutex(0)
    private let loop: LoopThread<Writing>

    private struct Writing: LoopState {
        let write: @Sendable (String) -> Void

        mutating func handle(_ event: Epoll.Event) {}
    }

    private static let endTimeout = Duration.seconds(1)

    /// Keeps the lines until `start`.
    init(
        _ settings: DaemonConfiguration.Log, write: @escaping @Sendable (String) -> Void = writeToStandardError
    ) throws(SystemError) {
        self.settings = Mutex(settings)
        loop = try LoopThread(name: "log", Writing(write: write), on: InterestList())
    }

    func start() throws(SystemError) { try loop.start() }

    /// Waits for the lines that are not yet written, but not for long.
    func stop() { _ = try? loop.stop(within: Self.endTimeout) }

    var logger: Logger { Logger(label: "nat64sim") { [self] _ in DaemonLogHandler(self) } }

    var current: DaemonConfiguration.Log {
        get { settings.withLock { $0 } }
        set { settings.withLock { $0 = newValue } }
    }

    func add(_ line: String) {
        lost.withLock { lost in
            let note = lost == 0 ? "" : "(\(counted(lost, "line is", "lines are")) missing here: nobody read them)\n"
            if loop.tell({ $0.write(note + line) }) { lost = 0 } else { lost += 1 }
        }
    }
}
