package import Wire

/// The networks that a client can be put on.
package enum Network: String, Codable, Sendable, CaseIterable {
    /// IPv6 only, with DNS64 and NAT64.
    case nat64
    /// IPv4 and IPv6 side by side, without translation: the network of the control run.
    case dualStack = "dual-stack"
}

/// How a client ended.
package enum ClientEnd: Hashable, Sendable {
    case exited(status: Int32)
    case killed(signal: Int32)
    /// We ended it, because it did not end by itself in the time it was given.
    case timedOut(after: Duration)

    package var isSuccess: Bool { self == .exited(status: 0) }
    /// Whether it ended by itself, and not well.
    package var isFailure: Bool {
        switch self {
        case .exited(let status): status != 0
        case .killed: true
        case .timedOut: false
        }
    }
}

/// One question that the client asked the DNS, and what it was told.
package struct DNSQuestion: Codable, Hashable, Sendable {
    /// Presentation format, without the final dot.
    package var name: String
    /// `A`, `AAAA`, `TYPE65`, …
    package var type: String
    /// `udp` or `tcp`.
    package var transport: String
    /// `NOERROR`, `NXDOMAIN`, …; `none` where a fault kept the reply back.
    package var responseCode: String
    /// Addresses and other data of the answer, each in presentation format.
    package var answers: [String]
    /// Where the answer came from: `world`, `cache`, `forwarder 192.0.2.53:53`, …
    package var source: String
    /// The IPv4 addresses from which the answer was synthesised; empty where it was not.
    package var synthesisedFrom: [String]
    /// The sentence that decided, such as `RFC 6147 §5.1.6`.
    package var rule: String
    /// Why there is no address in the answer, if the rule alone does not say so.
    package var reason: String?
    /// What was done wrong on purpose.
    package var faults: [String]
    /// How often the same question was answered the same way.
    package var count: Int

    package init(
        name: String, type: String, transport: String, responseCode: String, answers: [String],
        source: String, synthesisedFrom: [String], rule: String, reason: String? = nil, faults: [String] = [],
        count: Int = 1
    ) {
        self.name = name
        self.type = type
        self.transport = transport
        self.responseCode = responseCode
        self.answers = answers
        self.source = source
        self.synthesisedFrom = synthesisedFrom
        self.rule = rule
        self.reason = reason
        self.faults = faults
        self.count = count
    }
}

/// Everything that went to one address, protocol and port, as it crossed the client's link.
package struct Flow: Codable, Hashable, Sendable {
    package enum Transport: String, Codable, Sendable {
        case tcp, udp, icmp
    }
    package enum Route: Codable, Hashable, Sendable {
        /// Through the NAT64, to this IPv4 address.
        case translated(IPv4Address)
        /// Forwarded as it was.
        case direct
    }
    /// Why packets did not arrive, as an ICMP error told the client (RFC 4443 §3.1, RFC 792).
    package enum Unreachable: String, Codable, Sendable, CaseIterable {
        case noRoute = "no-route"
        /// Forbidden by whoever is in charge: a firewall, or RFC 6052 §3.1.
        case prohibited
        /// There is a link, and nobody on it with this address.
        case address
        /// Nobody listens.
        case port
        case other
    }

    package var transport: Transport
    /// The far end as the client sees it.
    package var remote: IPAddress
    /// 0 for ICMP.
    package var port: UInt16
    package var route: Route
    /// TCP: SYNs that the client sent, retransmissions included.
    package var attempts: Int
    /// TCP: connections that the far end accepted.
    package var accepted: Int
    /// Attempts that the far end refused with RST, and ICMP errors that said that it cannot be reached.
    package var refused: Int
    /// What the last of those errors said; nil where there was none.
    package var unreachable: Unreachable?
    /// Whether the far end sent the first packet.
    package var isInbound: Bool
    /// Octets of payload from the client.
    package var bytesSent: UInt64
    /// Octets of payload to the client.
    package var bytesReceived: UInt64

    package init(
        transport: Transport, remote: IPAddress, port: UInt16, route: Route, attempts: Int = 0, accepted: Int = 0,
        refused: Int = 0, unreachable: Unreachable? = nil, isInbound: Bool = false, bytesSent: UInt64 = 0,
        bytesReceived: UInt64 = 0
    ) {
        self.transport = transport
        self.remote = remote
        self.port = port
        self.route = route
        self.attempts = attempts
        self.accepted = accepted
        self.refused = refused
        self.unreachable = unreachable
        self.isInbound = isInbound
        self.bytesSent = bytesSent
        self.bytesReceived = bytesReceived
    }

    /// Whether the far end took part.
    package var isAnswered: Bool { accepted > 0 || bytesReceived > 0 }

    /// The IPv4 address that the flow reaches, whichever way; nil where it is an IPv6 host.
    package var ipv4Destination: IPv4Address? {
        switch (route, remote) {
        case (.translated(let address), _), (.direct, .ipv4(let address)): address
        case (.direct, .ipv6): nil
        }
    }
}

/// Packets that were refused for one reason.
package struct Refusal: Codable, Hashable, Sendable {
    /// The name of the drop reason.
    package var reason: String
    package var explanation: String
    package var count: UInt64
    /// The first such packet, in a line.
    package var example: String
    package var kind: Kind

    package enum Kind: String, Codable, Sendable {
        /// What every host sends to its own link and no router forwards, and what comes late: listener reports, mDNS. It
        /// says nothing about the client.
        case background
        /// What any router refuses: a hop limit that ran out, an address that leads nowhere, a packet that is none.
        case routing
        /// What there is no room for: ports, table entries, stored packets.
        case limit
        /// What goes to an IPv4 address that the well-known prefix must not carry (RFC 6052 §3.1).
        case nonGlobal = "non-global"
        /// What has no counterpart on the other side of a translator.
        case untranslatable
    }

    package init(reason: String, explanation: String, count: UInt64, example: String, kind: Kind) {
        self.reason = reason
        self.explanation = explanation
        self.count = count
        self.example = example
        self.kind = kind
    }
}

/// Something that the NAT64 counts.
package struct NamedCount: Codable, Hashable, Sendable {
    package var name: String
    package var count: UInt64

    package init(name: String, count: UInt64) {
        self.name = name
        self.count = count
    }
}

/// A link of the simulated network that was deleted: no packet has crossed it since.
package struct DeletedLink: Codable, Hashable, Sendable {
    package enum Side: String, Codable, Sendable {
        /// Between the client and the simulator (eth0); the client itself can delete it where it has the right to.
        case client
        /// Between the simulator and the world.
        case world
    }

    package var side: Side
    /// Since the client was connected.
    package var time: Duration

    package init(side: Side, time: Duration) {
        self.side = side
        self.time = time
    }
}

/// What a network saw of one client: the part of the evidence that a simulator has, be it in another process.
package struct NetworkEvidence: Codable, Hashable, Sendable {
    package var questions: [DNSQuestion]
    package var queries: DNSQueryLog
    package var flows: [Flow]
    package var refusals: [Refusal]
    /// What the NAT64 counted.
    package var counters: [NamedCount]
    /// Absent in the evidence of a daemon that does not know of this.
    package var deletedLinks: [DeletedLink]?
    /// Observations that did not fit the bounded logs.
    package var lost: Int

    package init(
        questions: [DNSQuestion] = [], queries: DNSQueryLog = DNSQueryLog(), flows: [Flow] = [],
        refusals: [Refusal] = [], counters: [NamedCount] = [], deletedLinks: [DeletedLink] = [], lost: Int = 0
    ) {
        self.questions = questions
        self.queries = queries
        self.flows = flows
        self.refusals = refusals
        self.counters = counters
        self.deletedLinks = deletedLinks
        self.lost = lost
    }
}

/// Processes of the client that still ran when it had ended, and were ended with it.
package struct SurvivingProcesses: Hashable, Sendable {
    package struct Process: Hashable, Sendable {
        /// As the client sees it.
        package var process: Int32
        /// Of the program; the kernel cuts it to 15 octets.
        package var name: String

        package init(process: Int32, name: String) {
            self.process = process
            self.name = name
        }
    }

    package var processes: [Process]
    /// Those that are not listed.
    package var more: Int

    package init(processes: [Process] = [], more: Int = 0) {
        self.processes = processes
        self.more = more
    }
}

/// What was seen of one run of the client on one network.
package struct RunEvidence: Hashable, Sendable {
    package var network: Network
    package var end: ClientEnd
    package var duration: Duration
    package var questions: [DNSQuestion]
    /// What `questions` sums up, one by one.
    package var queries: DNSQueryLog
    package var flows: [Flow]
    package var refusals: [Refusal]
    /// Of the NAT64; empty on a network without.
    package var counters: [NamedCount]
    /// Whose getaddrinfo the client found.
    package var profile: GetaddrinfoProfile
    package var lookups: [Lookup]
    /// Programs that the client started and that had no part in the profile.
    package var uncovered: [UncoveredProgram]
    package var survivors = SurvivingProcesses()
    /// Links that were deleted while the client ran.
    package var deletedLinks: [DeletedLink] = []
    /// Observations that did not fit the bounded logs.
    package var lost: Int

    package init(
        network: Network, end: ClientEnd, duration: Duration, questions: [DNSQuestion] = [],
        queries: DNSQueryLog = DNSQueryLog(), flows: [Flow] = [], refusals: [Refusal] = [],
        counters: [NamedCount] = [], profile: GetaddrinfoProfile = .linux, lookups: [Lookup] = [],
        uncovered: [UncoveredProgram] = [], lost: Int = 0
    ) {
        self.network = network
        self.end = end
        self.duration = duration
        self.questions = questions
        self.queries = queries
        self.flows = flows
        self.refusals = refusals
        self.counters = counters
        self.profile = profile
        self.lookups = lookups
        self.uncovered = uncovered
        self.lost = lost
    }

    package init(network: Network, end: ClientEnd, duration: Duration, seen: NetworkEvidence) {
        self.init(
            network: network, end: end, duration: duration, questions: seen.questions, queries: seen.queries,
            flows: seen.flows, refusals: seen.refusals, counters: seen.counters, lost: seen.lost)
        // The client's link goes with its namespace after every run.
        deletedLinks = (seen.deletedLinks ?? []).filter { $0.time <= duration }
    }

    /// The name by which the client came to know `flow`'s address, where the DNS told it.
    package func name(of flow: Flow) -> String? {
        let address = flow.remote.description
        return questions.first { $0.answers.contains(address) }?.name
    }

    /// The synthesised addresses without which the client would not have got where it went: getaddrinfo gave them, no
    /// answer of the DNS did, and they were used.
    package var usedSynthesis: [Lookup] {
        let used = Set(flows.filter { name(of: $0) == nil }.map(\.remote))
        return lookups.filter { lookup in lookup.synthesised.contains { used.contains(.ipv6($0)) } }
    }
}
