import Evidence

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
    var network: Network
    var timeout: Duration
    var grace: Duration
    var literals: GetaddrinfoProfile
    /// The path of a world file; `nil` is the demo world.
    var world: String?
    /// The daemon to use, `unix:PATH` of its attach socket; `own` is a simulator of the run process.
    var simulator: String
}

enum RunAnswer: Codable, Hashable {
    case ran(RunEvidence, links: LinkConditions, pref64: String, notes: [String])
    /// Why there was no run, and the exit code that stands for it.
    case failed(String, code: Int32)
}
