// SPDX-License-Identifier: Apache-2.0
import Topology
import Evidence
import Suites

/// What a process is told that runs a client once, and what it tells.
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
    var getaddrinfo: GetaddrinfoProfile
    var urlLoading = URLLoading.linux
    /// As they are written.
    var conditions: [String] = []
    var link: LinkSetup?
    /// As it is written; `nil` is the standard one.
    var clientPrefix: String?
    var interface: InterfaceName?
    var hostPorts: [HostPort] = []
    var proxies = ProxyVariables.world
    var caches = TestCaches.avoid
    var nat64: [String] = []
    /// The path of a world file; `nil` is the demo world.
    var world: String?
    /// Whether the world is that of canaries instead.
    var hasCanaries = false
    /// The daemon to use, `unix:PATH` of its attach socket; `own` is a simulator of the run process.
    var simulator: String
    /// Servers of the far side.
    var worldFixtures: FixtureOrder?
    /// What runs in the client's place, if it is more than the client: servers, and the client or a listener under test.
    var clientFixtures: FixtureOrder?
    /// Of a listener under test.
    var probes: [Probe] = []
    var isServerTest = false
    /// Whether the client's system calls are traced.
    var isTraced = false
    /// Whether nothing is loaded into the client that only records what it does.
    var isLeftAlone = false
    /// Whether it is the control run.
    var isControl = false
}

extension RunOrder {
    /// The suite file was read: the text is one.
    var clientLink: ClientLink? { clientPrefix.flatMap { try? ClientLink($0) } }
}

enum RunAnswer: Codable, Hashable {
    /// - Parameter server: of a listener under test.
    case ran(RunEvidence, links: LinkConditions, pref64: String, notes: [String], server: ServerEvidence?)
    /// Why there was no run, and the exit code that stands for it.
    case failed(String, code: Int32)
}
