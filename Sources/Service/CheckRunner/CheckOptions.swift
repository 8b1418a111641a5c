public import Findings
public import Reports

/// When the same client is run on dual-stack too.
public enum ControlPolicy: String, Sendable, CaseIterable {
    case always
    case onFailure = "on-failure"
    case never
}

/// How much is said on the standard error stream.
public enum Verbosity: Sendable {
    /// Nothing where the client passes, one line where it fails.
    case quiet
    case normal
    /// Every query and flow, and the output of the control run.
    case verbose
}

/// What the user asked for, as read from the command line and not yet looked at.
public struct CheckOptions: Sendable {
    /// The client's argument vector.
    public var command: [String] = []
    /// The commands of ours that the user may have meant where no program has the client's name.
    public var subcommands: [String] = []
    public var network = Network.nat64
    /// The daemon to use, `unix:PATH` of its attach socket; nil or `own` is a simulator of this process.
    public var simulator: String?
    /// An RFC 6052 prefix as text; nil is the well-known prefix.
    public var prefix: String?
    /// A world file; nil is the built-in demo world.
    public var worldFile: String?
    /// What the DNS64 does wrong besides what the world file says, as text.
    public var dnsFaults: [String] = []
    /// Nil is no limit.
    public var timeout: Duration?
    public var control = ControlPolicy.onFailure
    /// Whether the client runs once, whatever comes of it.
    public var isOnce = false
    /// Whose getaddrinfo the client is to find; nil is Apple's, where that can be had.
    public var getaddrinfo: GetaddrinfoProfile?
    /// Whether a client that passes is run again as on a plain Linux host, whatever it owes to literal synthesis.
    public var alsoLinux = false
    public var verbosity = Verbosity.normal
    /// Whether the report is coloured.
    public var colour = ColourChoice.auto
    /// `-` is standard output; the client's own output goes to the standard error stream then.
    public var jsonFile: String?
    public var pcapFile: String?
    /// The MTU of the client's link, and of the world's unless that has its own.
    public var mtu = LinkConditions.usualMTU
    public var worldMTU: Int?
    public var faults: [LinkFault] = []

    public init() {}
}
