// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import Topology
import Wire

struct RunRecord: Encodable, Sendable {
    /// `first`, `again` (the second run), `control`, `later` (on the chosen network after the control run), `without-synthesis`, or
    /// `traced` (its result differed from the untraced run's, and it decides nothing).
    let role: String
    let network: String
    /// The networks that the client was on over time; absent if it was on `network` all the time.
    let timeline: [NetworkChangeRecord]?
    /// The system whose getaddrinfo the client found.
    let getaddrinfo: String
    /// The system whose URL loading it found; absent for Linux's.
    let urlLoading: String?
    /// The client's exit status; absent if it did not exit.
    let exitStatus: Int32?
    /// The signal that killed it; absent if none did.
    let signal: Int32?
    let timedOut: Bool
    let seconds: Double
    let dns: [RepeatedQueryRecord]
    let queries: [TimedQueryRecord]
    let omittedQueries: Int
    let flows: [FlowRecord]
    /// The traffic that crossed the CLAT; absent on a network without one.
    let ipv4Dependencies: [IPv4DependencyRecord]?
    /// Connections to the world's servers of HTTP and TLS; absent if there were none.
    let connections: [ConnectionRecord]?
    /// Queries to resolvers of the world; absent if there were none.
    let servedQueries: [ServedQueryRecord]?
    let drops: [DropRecord]
    /// The effect of conditions; absent if there were none.
    let conditions: ConditionEvidence?
    /// The effect of hosts' link conditions; absent if no host has conditions.
    let hostConditions: [ConditionEvidence]?
    /// By name; absent on a network without a NAT64.
    let counters: [String: UInt64]?
    let lookups: [LookupRecord]
    /// Programs that the client started and that could not be given this getaddrinfo.
    let uncovered: [UncoveredRecord]
    /// The system calls; absent for a run without a trace.
    let trace: TraceRecord?
    /// Processes that outlived the client and were ended with it; absent if there were none.
    let survivors: SurvivorsRecord?
    /// Ports of the machine that the client was given; absent if there were none.
    let hostPorts: [HostPortRecord]?
    /// `client` or `world`; absent if there were none.
    let deletedLinks: [String]?
    let lostObservations: Int
    /// Refusals by the simulator; absent if there were none.
    let refusals: [RefusalRecord]?
    /// Number of omitted entries by name of the list; absent if nothing is omitted.
    let leftOut: [String: Int]?

    init(_ run: RunEvidence, as role: String, limit: Int) {
        self.role = role
        network = run.network.rawValue
        timeline = run.timeline.isEmpty ? nil : run.timeline.map(NetworkChangeRecord.init)
        getaddrinfo = run.profile.rawValue
        urlLoading = run.urlLoading == .linux ? nil : run.urlLoading.rawValue
        switch run.end {
        case .exited(let status): (exitStatus, signal, timedOut) = (status, nil, false)
        case .killed(let number): (exitStatus, signal, timedOut) = (nil, number, false)
        case .timedOut: (exitStatus, signal, timedOut) = (nil, nil, true)
        }
        seconds = run.duration / .seconds(1)
        dns = run.seen.questions.prefix(limit).map { RepeatedQueryRecord($0.first, count: $0.count) }
        queries = run.seen.queries.queries.suffix(limit).map(TimedQueryRecord.init)
        omittedQueries = run.seen.queries.omitted + run.seen.queries.queries.count - queries.count
        let names = run.names
        let hosts = HostLookups(run)
        flows = run.seen.flows.prefix(limit).map {
            FlowRecord($0, name: names[$0]?.withoutFinalDot, lookup: hosts[$0])
        }
        ipv4Dependencies =
            run.network.entry.hasCLAT ? run.ipv4Dependencies.prefix(limit).map(IPv4DependencyRecord.init) : nil
        let served = run.seen.connections.prefix(limit).map { connection in
            ConnectionRecord(connection, lookup: run.flow(of: connection).flatMap { hosts[$0] }, limit: limit)
        }
        connections = served.isEmpty ? nil : served
        let asked = run.seen.servedQueries.prefix(limit).map(ServedQueryRecord.init)
        servedQueries = asked.isEmpty ? nil : asked
        drops = run.seen.drops.map(DropRecord.init)
        conditions = run.seen.conditions
        hostConditions = run.seen.hostConditions.isEmpty ? nil : run.seen.hostConditions
        counters =
            run.seen.counters.isEmpty
            ? nil : Dictionary(run.seen.counters.map { ($0.name, $0.count) }, uniquingKeysWith: { first, _ in first })
        lookups = run.lookups.prefix(limit).map(LookupRecord.init)
        uncovered = run.uncovered.prefix(limit).map(UncoveredRecord.init)
        trace = run.calls.map { TraceRecord($0, limit: limit) }
        survivors = run.survivors.processes.isEmpty ? nil : SurvivorsRecord(run.survivors)
        hostPorts = run.hostPorts.isEmpty ? nil : run.hostPorts.map(HostPortRecord.init)
        deletedLinks = run.seen.deletedLinks.isEmpty ? nil : run.seen.deletedLinks.map(\.side.rawValue)
        lostObservations = run.lost
        refusals = run.seen.refusals.isEmpty ? nil : run.seen.refusals.map(RefusalRecord.init)
        let missingQuestions = run.seen.questions.dropFirst(limit).map(\.count).reduce(0, +)
        let missing: [String: Int] = [
            "dns": missingQuestions + run.seen.lost.queries,
            "queries": omittedQueries, "flows": run.seen.flows.count - flows.count,
            "packetsOfFlows": run.seen.lost.flows,
            "servedQueries": run.seen.servedQueries.count - asked.count,
            "connections": run.seen.connections.count - served.count + run.seen.lost.connections,
            "lookups": run.lookups.count - lookups.count + run.lostLookups,
            "uncovered": run.uncovered.count - uncovered.count, "calls": trace?.omittedCalls ?? 0,
            "programs": trace?.omittedPrograms ?? 0, "payload": Int(clamping: run.omittedPayload),
        ]
        let leftOut = missing.filter { $0.value > 0 }
        self.leftOut = leftOut.isEmpty ? nil : leftOut
    }
}

/// A `WorldRefusal` in JSON reports.
struct RefusalRecord: Encodable, Sendable {
    let reason: String
    let transport: String
    let address: String
    let port: UInt16
    let count: Int
    /// Time of the first, since the client was connected.
    let seconds: Double

    init(_ refusal: WorldRefusal) {
        reason = refusal.reason.rawValue
        transport = refusal.transport.rawValue
        address = refusal.address.description
        port = refusal.port
        count = refusal.count
        seconds = refusal.first / .seconds(1)
    }
}

struct SurvivorsRecord: Encodable, Sendable {
    struct Process: Encodable, Sendable {
        /// As the client sees it.
        let process: Int32
        let name: String
    }

    let processes: [Process]
    /// Number of those that are not listed.
    let omitted: Int

    init(_ survivors: SurvivingProcesses) {
        processes = survivors.processes.map { Process(process: $0.process, name: $0.name) }
        omitted = survivors.more
    }
}

struct HostPortRecord: Encodable {
    let port: UInt16
    let machinePort: UInt16
    let connections: Int
    let refused: Int

    init(_ use: HostPortUse) {
        port = use.port.port
        machinePort = use.port.host
        connections = use.connections
        refused = use.refused
    }
}
