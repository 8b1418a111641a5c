// SPDX-License-Identifier: Apache-2.0
package import Diagnosis
package import Topology
package import Evidence
package import Reports
package import Router

/// How much is said on the standard error stream.
package enum Verbosity: Sendable {
    /// Nothing where the client passes, one line where it fails.
    case quiet
    case normal
    /// Every query and flow, and the output of the control run.
    case verbose
}

/// What the user asked for, as read from the command line and not yet looked at.
package struct CheckOptions: Sendable {
    /// The client's argument vector.
    package var command: [String] = []
    /// The commands of ours that the user may have meant where no program has the client's name.
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
    /// What the DNS64 does wrong besides what the world file says, as text.
    package var dnsFaults: [String] = []
    /// `nil` is no limit.
    package var timeout: Duration?
    package var control = ControlPolicy.onFailure
    package var trace = TracePolicy.onFailure
    /// Whether the client runs once, whatever comes of it.
    package var isOnce = false
    /// Whose getaddrinfo the client is to find.
    package var getaddrinfo = GetaddrinfoProfile.linux
    /// Whether nothing is loaded into the client that only records what it does.
    package var isLeftAlone: Bool { trace == .never }
    /// Whose URL loading the client is to find, if it is Foundation's.
    package var urlLoading = URLLoading.linux
    package var verbosity = Verbosity.normal
    /// Whether the report is coloured.
    package var colour = ColourChoice.auto
    /// `-` is standard output; the client's own output goes to the standard error stream then.
    package var jsonFile: String?
    /// Likewise, a page of HTML.
    package var htmlFile: String?
    /// Likewise, the hosts that the client named or went to.
    package var hostsFile: String?
    /// Whether a report goes there, so that the client's own output does not.
    var hasReportOnStandardOutput: Bool {
        [jsonFile, htmlFile, hostsFile].contains(ReportFile.standardOutput)
    }
    /// The lightest finding with which a client that works is failed all the same; `nil` is none.
    package var failOn: Severity?
    package var pcapFile: String?
    /// The MTU of the client's link, and of the world's unless that has its own; `nil` is Ethernet's.
    package var mtu: Int?
    package var worldMTU: Int?
    /// How the client comes by its IPv6 address; `nil` is that it has it when it starts.
    package var link: LinkSetup?
    /// Which addresses the client's link has; `nil` is the standard one, or as the daemon has it.
    package var clientLink: ClientLink?
    /// `nil` is the usual one.
    package var interface: InterfaceName?
    /// Ports of the machine that the client finds at its own loopback addresses.
    package var hostPorts: [HostPort] = []
    /// Whether its world is that of canaries, of which one is on its own machine.
    package var hasCanaries = false
    package var proxies = ProxyVariables.world
    package var caches = TestCaches.avoid
    package var faults: [LinkFault] = []
    /// How the NAT64 differs from the RFCs' defaults, as text.
    package var nat64: [String] = []
    /// What the way to the world is like, as text.
    package var conditions: [String] = []
    /// TCP ports of the client that IPv4 hosts reach through the NAT64.
    package var publishedPorts: [UInt16] = []

    package init() {}
}

extension CheckOptions {
    /// The one network that the client is to be on all the time, or that its run is judged by.
    package var network: Network {
        get { schedule.network }
        set { schedule = NetworkSchedule(newValue) }
    }
}
