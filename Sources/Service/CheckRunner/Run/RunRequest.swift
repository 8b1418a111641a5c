// SPDX-License-Identifier: Apache-2.0
import CallTracing
import ConfigurationText
import Evidence
import LinuxNet
import Sandbox
import Topology

/// The parameters of one run of the client.
struct RunRequest {
    var schedule: NetworkSchedule
    /// `nil` is no limit.
    var timeout: Duration?
    /// Time between SIGTERM and SIGKILL when the client's time is over.
    var grace = Duration.zero
    var streams = StandardStreams.inherited
    /// The pipe that its output and errors go to; `nil` if they are the user's.
    var output: OutputPipe?
    /// Whether it cannot ask the user at the terminal: a run that the user does not expect.
    var leavesTerminal = false
    /// Whether its system calls are traced.
    var isTraced = false
    /// The getaddrinfo that the client finds in place of the chosen one; URL loading is then the machine's own.
    var getaddrinfo: GetaddrinfoProfile?
    /// Part of the name of this run's capture; `nil` for the first run, which has the name that the user gave.
    var captureLabel: String?
    /// Finds the client's first program among those of a traced run; `nil` if it is the first of them.
    var client: (([TracedProgram]) -> Int?)?
    /// The progress line of a run that takes long; `nil` is none.
    var progress: Progress?
}
