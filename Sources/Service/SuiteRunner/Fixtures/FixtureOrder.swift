// SPDX-License-Identifier: Apache-2.0
import Evidence
import Suites

/// What a fixture process is told: servers to start, and what is to run while they serve.
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
    }

    /// In the order in which they start: each when the one before is ready.
    var servers: [Server] = []
    /// The argument vector of a client; `nil` if the fixture process serves until it is told to end.
    var client: [String]?
    /// Of the client.
    var timeout = Duration.zero
    /// What the client gets between SIGTERM and SIGKILL.
    var grace = Duration.zero
    /// Whether the fixture process is on the far side, where it has rights that its programs are not to have, and nobody else ends what
    /// they leave behind.
    var isInWorld = false

    /// What it may take beside the client's own time.
    var overhead: Duration { servers.map(\.within).reduce(.seconds(15)) { $0 + $1 + .seconds(3) } }
}

/// What a fixture process tells.
enum FixtureNews: Codable, Hashable {
    /// Every server is ready; these listen then, of those that the servers have opened.
    case ready([Listener])
    /// A server did not become ready, or ended before the rest did.
    case failed(server: String, reason: String)
    /// The client has ended, after so long.
    case ended(ExitOutcome, Duration)
}
