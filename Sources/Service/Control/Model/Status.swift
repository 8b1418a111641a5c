// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials

/// The general state of the daemon.
package struct Status: Codable, Hashable, Sendable {
    package var version: String
    package var readiness: DaemonReadiness
    package var startedAt: Date
    /// In seconds.
    package var uptime: Double
    package var pref64: String
    package var uplink: Uplink
    package var networks: [NetworkStatus]
    package var limits: DaemonLimits

    package init(
        version: String, readiness: DaemonReadiness, startedAt: Date, uptime: Double, pref64: String, uplink: Uplink,
        networks: [NetworkStatus], limits: DaemonLimits
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

/// Whether the daemon can serve a client that attaches now.
package struct DaemonReadiness: Codable, Hashable, Sendable {
    package enum State: String, Codable, CaseIterable, Sendable {
        case ready
        case notReady = "not-ready"
    }

    package var state: State
    /// The threads that do not answer, in words; empty when ready.
    package var waitingFor: [String]

    /// Ready, if the list is empty.
    package init(waitingFor: [String] = []) {
        state = waitingFor.isEmpty ? .ready : .notReady
        self.waitingFor = waitingFor
    }
}

/// The network behind the NAT64.
package struct Uplink: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, CaseIterable, Sendable {
        /// A world from a file: nothing leaves the daemon.
        case hermetic
        /// The network in which the daemon runs.
        case host
        /// The network in which the daemon runs, without privileges, through passt's `pasta`.
        case pasta
    }

    package var kind: Kind
    /// The IPv4 addresses of the clients towards that network.
    package var pool: [String]
    /// The servers that the DNS64 asks; empty if the world answers.
    package var forwarders: [String]

    package init(kind: Kind, pool: [String], forwarders: [String] = []) {
        self.kind = kind
        self.pool = pool
        self.forwarders = forwarders
    }
}

/// A network to which clients can attach.
package struct NetworkStatus: Codable, Hashable, Sendable {
    package var name: String
    /// Its clients now.
    package var clients: Int

    package init(name: String, clients: Int) {
        self.name = name
        self.clients = clients
    }
}

/// DaemonLimits of the state that clients can cause.
package struct DaemonLimits: Codable, Hashable, Sendable {
    package var clients: Int
    package var sessionsPerClient: Int
    package var bindingsPerClient: Int
    /// Lines of the DNS log that are kept.
    package var dnsLogLines: Int
    package var faults: Int

    package init(
        clients: Int, sessionsPerClient: Int, bindingsPerClient: Int, dnsLogLines: Int, faults: Int
    ) {
        self.clients = clients
        self.sessionsPerClient = sessionsPerClient
        self.bindingsPerClient = bindingsPerClient
        self.dnsLogLines = dnsLogLines
        self.faults = faults
    }
}
