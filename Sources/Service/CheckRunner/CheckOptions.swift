// SPDX-License-Identifier: Apache-2.0
package import Diagnosis
package import Topology
package import Evidence
package import Reports
package import Router

/// The amount of output on the standard error stream.
package enum Verbosity: Sendable {
    /// Nothing if the client passes, one line if it fails.
    case quiet
    case normal
    /// Every query and flow, and the output of the control run.
    case verbose
}

/// The user's options, as read from the command line and not yet checked.
package struct CheckOptions: Sendable {
    /// The client's argument vector.
    package var command: [String] = []
    /// Commands of ipv6check that the user may have meant if no program has the client's name.
    package var subcommands: [String] = []
    package var schedule = NetworkSchedule.nat64
    /// The daemon to use, `unix:PATH` of its attach socket; `nil` or `own` is a simulator of this process.
    package var simulator: String?
    /// An RFC 6052 prefix as text; `nil` is the well-known prefix.
    package var prefix: String?
    /// A world file; `nil` is the built-in demo world.
    package var worldFile: String?
    /// The real network in place of the world's hosts; `nil` is a hermetic world.
    package var uplink: UplinkConfiguration?
    /// Faults of the DNS64 in addition to those of the world file, as text.
    package var dnsFaults: [String] = []
    /// `nil` is no limit.
    package var timeout: Duration?
    package var control = ControlPolicy.onFailure
    package var trace = TracePolicy.onFailure
    /// Whether the client runs once only, whatever the result.
    package var isOnce = false
    package var request = NetworkRequest()
    /// Whether nothing is loaded into the client merely to record its behaviour.
    package var isLeftAlone: Bool { trace == .never }
    package var verbosity = Verbosity.normal
    /// Whether the report is coloured.
    package var colour = ColourChoice.auto
    /// `-` is standard output; the client's own output then goes to the standard error stream.
    package var jsonFile: String?
    /// Likewise, a page of HTML.
    package var htmlFile: String?
    /// Likewise, the hosts that the client named or connected to.
    package var hostsFile: String?
    /// Whether a report goes to standard output, so that the client's own output does not.
    var hasReportOnStandardOutput: Bool {
        [jsonFile, htmlFile, hostsFile].contains(ReportFile.standardOutput)
    }
    /// Lowest severity of a finding that fails even a client that works; `nil` is none.
    package var failOn: Severity?
    package var pcapFile: String?
    /// MTU of the client's link, and of the world's unless that has its own; `nil` is Ethernet's.
    package var mtu: Int?
    package var worldMTU: Int?
    /// Whether the world is the one of canaries, one of which is on the client's own machine.
    package var hasCanaries = false
    package var faults: [LinkFault] = []
    /// TCP ports of the client that IPv4 hosts reach through the NAT64.
    package var publishedPorts: [UInt16] = []

    package init() {}
}

extension CheckOptions {
    /// The client's only network, or the network that its run is judged by.
    package var network: Network {
        get { schedule.network }
        set { schedule = NetworkSchedule(newValue) }
    }
}
