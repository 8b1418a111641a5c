// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Sandbox
import Text
import Wire

/// The steps of a run from its reservation to the client's start. They share one limit.
enum PreparationStep: String {
    case formerEnd = "the end of the client before"
    case launcher = "the client's launcher"
    case simulator = "the simulator"
    case link = "the client's link"
    case network = "the simulated network"
    case hold = "the client's hold on its network"
    case start = "the client's start"
}

/// The time limit that the steps of a run's preparation share.
struct PreparationLimit {
    private let watch: any RunWatch
    private let limit: Duration
    private var deadline: Instant

    /// Maximum set-up time of a network. It takes some milliseconds, and more on a machine with twenty set-ups at once.
    private static let usual = Duration.seconds(60)

    /// Begins now.
    /// - Parameter programs: the time that the world's programs may take in addition.
    init(_ watch: any RunWatch, programs: Duration) {
        self.watch = watch
        limit = Self.usual + programs
        deadline = MonotonicClock.now() + limit
    }

    /// Begins anew, after a pause without a limit.
    mutating func restart() { deadline = MonotonicClock.now() + limit }

    /// Begins a step; the message names it if it takes too long.
    func awaits(_ step: PreparationStep) {
        watch.expectEnd(
            until: deadline,
            otherwise: CheckFailure(
                "the network was not ready after \(limit.inSeconds), and \(step.rawValue) was waited for; see ipv6check doctor",
                .machineCannot))
    }
}
