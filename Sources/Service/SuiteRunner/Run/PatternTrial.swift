// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Suites
import Synchronization
import Wire

/// A trial of a suite's regular expressions before they decide anything: for some texts a match takes hours, and cannot be interrupted.
final class PatternTrial: Sendable {
    private let patterns: [(expectation: TextExpectation, text: CapturedText)]
    private let done: EventSignal
    private let current = Mutex(0)

    /// For all patterns of a run together.
    static let limit = Duration.seconds(5)

    private init(_ patterns: [(TextExpectation, CapturedText)]) throws(SystemError) {
        self.patterns = patterns
        done = try EventSignal()
    }

    /// The first pattern of these that is not decided in time; `nil` if all are. The thread of such a one goes on until this process ends.
    static func slowPattern(among texts: [(expectation: TextExpectation, text: CapturedText)]) -> String? {
        let patterns = texts.filter { $0.expectation.pattern != nil }
        guard !patterns.isEmpty, let trial = try? PatternTrial(patterns),
            let thread = try? WorkerThread.start(name: "patterns", stackSize: 8 << 20, { trial.run() })
        else { return nil }
        if waitForInput(trial.done.descriptor, -1, until: MonotonicClock.now() + limit) { return nil }
        thread.detach()
        return patterns[min(trial.current.withLock { $0 }, patterns.count - 1)].expectation.pattern
    }

    private func run() {
        for (index, pattern) in patterns.enumerated() {
            current.withLock { $0 = index }
            _ = pattern.expectation.isMet(by: pattern.text)
        }
        done.wake()
    }
}
