// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Diagnosis
import Evidence
import Suites
import Text
import Wire

/// Maximum rows of each kind in the results: a client can make any number.
private let rowLimit = 100

/// The events of a run by time: look-ups, connections, requests that servers saw, and, if it was traced, its failed calls and its
/// processes.
/// - Parameter findings: a row names those with an observation about it.
func timeLine(_ run: RunEvidence, findings: [Finding]) -> [CaseResult.Step] {
    let met = findings.map { ($0.rule.id, Set($0.observations.compactMap(\.target))) }
    let rules = { (targets: [Target]) in met.filter { !$0.1.isDisjoint(with: targets) }.map(\.0) }
    let calls = run.calls
    let steps =
        limited(lookUps(run, rules), kind: "dns", more: run.seen.queries.omitted)
        + limited(flows(run, rules), kind: "flow")
        + limited(connections(run, rules), kind: "request", more: run.seen.lost.connections)
        + limited(calls.map { failedCalls($0, of: run, rules) } ?? [], kind: "call", more: calls?.lost ?? 0)
        + limited(calls.map { processes($0, until: run.duration) } ?? [], kind: "process")
    // Steps without a time come last.
    return steps.enumerated().sorted {
        ($0.element.at ?? .infinity, $0.offset) < ($1.element.at ?? .infinity, $1.offset)
    }
    .map(\.element)
}

private typealias RulesAbout = ([Target]) -> [String]

private func lookUps(_ run: RunEvidence, _ rules: RulesAbout) -> [CaseResult.Step] {
    run.seen.queries.queries.map { query in
        let repeated = RepeatedQuery(query)
        return step(
            "dns", repeated.map { phrase($0) } ?? "?", from: query.time - .zero,
            failed: query.responseCode != .noError, rules: rules(repeated.map { [.name($0.question.name)] } ?? []))
    }
}

private func flows(_ run: RunEvidence, _ rules: RulesAbout) -> [CaseResult.Step] {
    let names = run.names
    return run.seen.flows.map { flow in
        step(
            "flow", phrase(flow, name: names[flow]?.withoutFinalDot), from: flow.times?.first, to: flow.times?.last,
            failed: !flow.isAnswered,
            rules: rules(hosts(flow, names).flatMap { targets($0, flow.transport, port: flow.port) }))
    }
}

/// All the names for the far end that a finding may use: its address, its name, and the IPv4 address behind the NAT64.
private func hosts(_ flow: Flow, _ names: KnownNames) -> [Observation.Host] {
    [.address(flow.remote)] + (names[flow].map { [.name($0)] } ?? [])
        + (flow.ipv4Destination.map { [.address(.ipv4($0))] } ?? [])
}

/// The connections that the servers of the world saw.
private func connections(_ run: RunEvidence, _ rules: RulesAbout) -> [CaseResult.Step] {
    let hosts = HostLookups(run)
    return run.seen.connections.map { connection in
        let ends = connection.exchanges.map { $0.end ?? $0.firstOctet ?? $0.time } + [connection.tls?.duration ?? .zero]
        return step(
            "request", phrase(connection, run.flow(of: connection).flatMap { hosts[$0] }), from: connection.time,
            to: connection.time + (ends.max() ?? .zero), failed: connection.isTelling,
            rules: rules(targets(.address(connection.address), .tcp, port: connection.port)))
    }
}

private func failedCalls(
    _ evidence: CallEvidence, of run: RunEvidence, _ rules: RulesAbout
) -> [CaseResult.Step] {
    let names = run.names
    let known = Dictionary(
        run.seen.flows.map { ($0.remote, hosts($0, names)) }, uniquingKeysWith: { first, _ in first })
    return evidence.own.filter(\.isTelling).map { call in
        var about: [Target] = []
        if case .ip(let address, let port) = call.address {
            let transport = call.socket?.type == SocketKind.stream ? Flow.Transport.tcp : .udp
            about = (known[address] ?? [.address(address)]).flatMap { targets($0, transport, port: port) }
        }
        let rules = rules(about)
        var text = phrase(call)
        if let frame = call.frames.own { text += " in \(phrase(frame))" }
        if call.program != 0 { text += " by \(ancestry(call, in: evidence))" }
        // A finding names the origin by itself.
        if rules.isEmpty, let origin = call.origin { text += ", \(source(origin))" }
        return step("call", text, from: call.time, to: call.time + call.duration, failed: true, rules: rules)
    }
}

/// A row for each process, with the last program that it ran: a shell that became the client needs no row of its own.
private func processes(_ evidence: CallEvidence, until end: Duration) -> [CaseResult.Step] {
    var rows: [Int32: (first: TracedProgram, last: TracedProgram)] = [:]
    var order: [Int32] = []
    for program in evidence.programs {
        if rows[program.process] == nil { order.append(program.process) }
        rows[program.process] = (rows[program.process]?.first ?? program, program)
    }
    return order.compactMap { rows[$0] }.map { first, last in
        step(
            "process", "\(last.process)  \(abbreviated(last.arguments))", from: first.start, to: last.end ?? end,
            failed: nil, rules: [])
    }
}

private func step(
    _ kind: String, _ text: String, from start: Duration?, to end: Duration? = nil, failed: Bool?, rules: [String]
) -> CaseResult.Step {
    let (at, until) = (start.map(milliseconds), end.map(milliseconds))
    // Times come from the client's process and from a simulator that may be in another process, so the end may seem to be earlier.
    let isLater = if let at, let until { until > at } else { false }
    return CaseResult.Step(
        at: at, until: isLater ? until : nil, kind: kind, text: printable(text), failed: failed,
        rules: rules.isEmpty ? nil : rules)
}

private func targets(_ host: Observation.Host, _ transport: Flow.Transport, port: UInt16) -> [Target] {
    let whole = Target.farEnd(host, transport, port: port)
    return switch host {
    case .address(let address): [whole, .address(address)]
    case .name(let name): [whole, .name(name)]
    }
}

/// If there are too many steps, those with a finding come before the rest.
private func limited(_ steps: [CaseResult.Step], kind: String, more: Int = 0) -> [CaseResult.Step] {
    let hidden = max(0, steps.count - rowLimit) + more
    let shown =
        steps.count > rowLimit
        ? Array((steps.filter { $0.rules != nil } + steps.filter { $0.rules == nil }).prefix(rowLimit)) : steps
    return hidden == 0 ? shown : shown + [CaseResult.Step(at: nil, kind: kind, text: "and \(hidden) more")]
}
