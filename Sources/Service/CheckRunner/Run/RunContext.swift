// SPDX-License-Identifier: Apache-2.0
import Evidence
import LinuxNet
import Sandbox
import Topology

/// The values that all stages of a run share.
///
///     LaunchedClient ──connect──► ConnectedClient ──start──► RunningClient ──awaitEnd──► EndedClient ──finish──► FinishedRun
///
/// Each stage consumes the one before, sets the limits of its steps, and has no step that can be left out. A stage that is dropped ends the
/// client and gives its place back.
struct RunContext {
    let request: RunRequest
    let prepared: ResolvedOptions
    let inheritance: Inheritance
    let preloading: Preloading
    /// Makes the client's interpreters report their call frames; `nil` if they do not, or the run is not traced.
    let frames: InterpreterFrames?
    /// The number of TCP sockets that the client's runtime makes and does not use; `nil` if it is not known to make any.
    let unusedStreams: Int?
    let machinePorts: MachinePorts
    let watch: any RunWatch
    /// Whether the client's network, and with it the prefixes, may change while it runs.
    var isNetworkHeld: Bool
    /// Changes that were made around the client, a sentence each.
    var notes: [String] = []

    /// Whether the kernel's messages about the IPv4 sockets that the client closes are kept. On networks with IPv4 they mean nothing.
    var recordsClosedSockets: Bool {
        !isNetworkHeld && Set<Network>.ipv6Only.contains(request.schedule.network)
    }

    /// Whether libraries in the client send reports to this process.
    var hasCollector: Bool { preloading.isActive || frames != nil }
}
