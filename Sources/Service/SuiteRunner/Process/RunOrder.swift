// SPDX-License-Identifier: Apache-2.0
import CheckRunner
import Topology
import Evidence
import Suites

/// The order for a process that runs a client once, and its answer.
///
///     suite                                     run process (`ipv6check __run`)
///     memory file with a RunOrder ───────────►
///                                               … the client runs, its streams are pipes of the suite's …
///                                       ◄─────  memory file with a RunAnswer, and the process ends
struct RunOrder: Codable, Hashable {
    /// The client's argument vector.
    var command: [String]
    /// The working directory.
    var folder: String
    var network: NetworkSchedule
    var timeout: Duration
    var grace: Duration
    var request: NetworkRequest
    /// The path of a world file; `nil` is the demo world.
    var world: String?
    /// Whether the world is the canaries' instead.
    var hasCanaries = false
    /// The daemon to use, `unix:PATH` of its attach socket; `own` is a simulator of the run process.
    var simulator: String
    /// Servers of the far side.
    var worldFixtures: FixtureOrder?
    /// FixtureGroup in the client's place, if there is more than the client: servers, and the client or a server under test.
    var clientFixtures: FixtureOrder?
    /// The probes of a server under test.
    var probes: [Probe] = []
    var isServerTest = false
    /// Whether the client's system calls are traced.
    var isTraced = false
    /// Whether the libraries that only record are kept out of the client.
    var isLeftAlone = false
    /// Whether it is the control run.
    var isControl = false
}

enum RunAnswer: Codable, Hashable {
    /// - Parameter server: present for a server under test.
    case ran(FinishedRun, server: ServerEvidence?)
    /// The reason that there was no run, and its exit code.
    case failed(String, code: Int32)
}
