public import FoundationEssentials

/// What the daemon is and does, in general.
public struct Status: Codable, Hashable, Sendable {
    public var version: String
    public var readiness: Readiness
    public var startedAt: Date
    /// In seconds.
    public var uptime: Double
    public var pref64: String
    public var uplink: Uplink
    public var networks: [NetworkStatus]
    public var limits: Limits

    public init(
        version: String, readiness: Readiness, startedAt: Date, uptime: Double, pref64: String, uplink: Uplink,
        networks: [NetworkStatus], limits: Limits
    ) {
        self.version = version
        self.readiness = readiness
        self.startedAt = startedAt
        self.uptime = uptime
        self.pref64 = pref64
        self.uplink = uplink
        self.networks = networks
        self.limits = limits
    }
}

/// Whether a client that attaches now is served.
public struct Readiness: Codable, Hashable, Sendable {
    public enum State: String, Codable, CaseIterable, Sendable {
        case starting, ready, stopping
    }

    public var state: State
    /// What is still being waited for, in words; empty when ready.
    public var waitingFor: [String]

    public init(_ state: State, waitingFor: [String] = []) {
        self.state = state
        self.waitingFor = waitingFor
    }
}

/// What is on the far side.
public struct Uplink: Codable, Hashable, Sendable {
    public enum Kind: String, Codable, CaseIterable, Sendable {
        /// The world of a file: nothing leaves the daemon.
        case hermetic
        /// The network in which the daemon runs.
        case host
        /// The same without privileges, through passt's `pasta`.
        case pasta
    }

    public var kind: Kind
    /// The IPv4 addresses that clients have towards the far side.
    public var pool: [String]
    /// Whom the DNS64 asks; empty where the world answers.
    public var forwarders: [String]

    public init(kind: Kind, pool: [String], forwarders: [String] = []) {
        self.kind = kind
        self.pool = pool
        self.forwarders = forwarders
    }
}

/// A network that clients can ask for.
public struct NetworkStatus: Codable, Hashable, Sendable {
    public var name: String
    /// How many are on it now.
    public var clients: Int

    public init(name: String, clients: Int) {
        self.name = name
        self.clients = clients
    }
}

/// How much there can be of what clients cause.
public struct Limits: Codable, Hashable, Sendable {
    public var clients: Int
    public var sessionsPerClient: Int
    public var bindingsPerClient: Int
    /// Lines of the DNS log that are kept.
    public var dnsLogLines: Int
    public var faults: Int

    public init(
        clients: Int, sessionsPerClient: Int, bindingsPerClient: Int, dnsLogLines: Int, faults: Int
    ) {
        self.clients = clients
        self.sessionsPerClient = sessionsPerClient
        self.bindingsPerClient = bindingsPerClient
        self.dnsLogLines = dnsLogLines
        self.faults = faults
    }
}
