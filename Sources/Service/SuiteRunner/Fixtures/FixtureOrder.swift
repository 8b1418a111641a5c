// SPDX-License-Identifier: Apache-2.0
import Evidence
import Suites

/// The order for a fixture process: servers to start, and a client to run while they serve.
struct FixtureOrder: Codable, Hashable {
    struct Server: Codable, Hashable {
        var name: String
        /// The argument vector.
        var command: [String]
        var environment: [String: String]
        /// The working directory.
        var folder: String
        /// The path of the file that gets its standard output and error.
        var log: String
        var ready: [Readiness]
        var within: Duration
        /// How long it may listen at other ports only; `nil` if as long as it has time to become ready.
        var elsewhere: Duration?
        /// Whether probes judge what it answers: one that answers with an error is ready, if it does so for some time.
        var isProbed = false
    }

    /// In the order of their start: each starts when the one before is ready.
    var servers: [Server] = []
    /// The argument vector of a client; `nil` if the fixture process serves until it is told to end.
    var client: [String]?
    /// The client's timeout.
    var timeout = Duration.zero
    /// The client's time between SIGTERM and SIGKILL.
    var grace = Duration.zero
    /// Whether the fixture process is on the far side, on which it has rights that its programs must not have, and on which it must end their
    /// remaining processes itself.
    var isInWorld = false

    /// Maximum time in addition to the client's.
    var overhead: Duration { servers.map(\.within).reduce(.seconds(15)) { $0 + $1 + .seconds(3) } }
}

/// Why a fixture is of no use.
struct FixtureFailure: Codable, Hashable, Sendable {
    /// Empty if it is the client.
    var server: String
    var reason: String
    /// Whether its program does not exist or cannot be executed.
    var isMissing = false
}

/// A message from a fixture process.
enum FixtureNews: Codable, Hashable {
    /// All servers are ready; these are their listening sockets.
    case ready([Listener])
    /// A server did not become ready, or ended too early.
    case failed(FixtureFailure)
    /// The client has ended, after this time.
    case ended(ExitOutcome, Duration)
}
