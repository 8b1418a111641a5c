// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Diagnosis
import Evidence
import Wire

/// A line of the chart of a run: what it is, when it was, and what rules say of it.
struct ChartRow {
    enum Kind: String, CaseIterable {
        case name = "DNS"
        case flow = "Connections"
        case request = "What servers saw"
        case call = "Failed calls"
        // Last: a client that builds something has hundreds.
        case process = "Processes"
    }
    enum State: String {
        /// Neither good nor bad.
        case dim
        case good, bad
    }

    let kind: Kind
    let label: String
    var state: State
    var times: [ClosedRange<Duration>]
    /// What an observation that is about this names.
    var targets: Set<Target> = []
    /// The findings that have such an observation.
    var rules: [String] = []
}

/// The rows of a run, each kind by time.
func chartRows(_ run: RunEvidence, findings: [Finding]) -> [ChartRow] {
    var rows = nameRows(run) + flowRows(run) + requestRows(run) + callRows(run) + processRows(run)
    let met = findings.map { ($0.rule.id, Set($0.observations.compactMap(\.target))) }
    for index in rows.indices {
        rows[index].rules = met.filter { !$0.1.isDisjoint(with: rows[index].targets) }.map(\.0)
    }
    return rows
}

/// A row a process, by what it ran last: a shell that became the client is not worth a row of its own.
private func processRows(_ run: RunEvidence) -> [ChartRow] {
    var rows: [Int32: ChartRow] = [:]
    var order: [Int32] = []
    for program in run.calls?.programs ?? [] {
        if rows[program.process] == nil { order.append(program.process) }
        rows[program.process] = ChartRow(
            kind: .process, label: "\(program.process)  \(abbreviated(program.arguments))", state: .dim,
            times: (rows[program.process]?.times ?? []) + [span(program.start, program.end ?? run.duration)])
    }
    return order.compactMap { rows[$0] }
}

/// A row a name: every query for it is a mark, and one that gave nothing makes it bad.
private func nameRows(_ run: RunEvidence) -> [ChartRow] {
    var rows: [(row: ChartRow, types: [String])] = []
    var places: [String: Int] = [:]
    for query in run.seen.queries.queries {
        let record = DNSQueryRecord(query)
        let name = record.name ?? "?"
        let place = places[name] ?? rows.count
        if place == rows.count {
            places[name] = place
            rows.append((ChartRow(kind: .name, label: name, state: .good, times: []), []))
            if let question = query.question { rows[place].row.targets = [.name(question.name)] }
        }
        let type = record.type ?? "?"
        if !rows[place].types.contains(type) { rows[place].types.append(type) }
        let time = query.time - .zero
        rows[place].row.times.append(time...time)
        if record.responseCode != "NOERROR" { rows[place].row.state = .bad }
    }
    return rows.map { row, types in
        ChartRow(
            kind: row.kind, label: "\(row.label)  \(types.joined(separator: " "))", state: row.state, times: row.times,
            targets: row.targets)
    }
}

private func flowRows(_ run: RunEvidence) -> [ChartRow] {
    let names = run.names
    return run.seen.flows.compactMap { flow in
        guard let times = flow.times else { return nil }
        let name = names[flow]
        var hosts: [Observation.Host] = [.address(flow.remote)]
        if let name { hosts.append(.name(name)) }
        if let address = flow.ipv4Destination { hosts.append(.address(.ipv4(address))) }
        return ChartRow(
            kind: .flow, label: phrase(flow, name: name?.withoutFinalDot), state: flow.isAnswered ? .good : .bad,
            times: [span(times.first, times.last)],
            targets: Set(hosts.flatMap { targets($0, flow.transport, port: flow.port) }))
    }
}

/// A row a connection, with a mark for each request.
private func requestRows(_ run: RunEvidence) -> [ChartRow] {
    let hosts = HostLookups(run)
    return run.seen.connections.map { connection in
        let requests = connection.exchanges.map { exchange in
            span(
                connection.time + exchange.time,
                connection.time + (exchange.end ?? exchange.firstOctet ?? exchange.time))
        }
        return ChartRow(
            kind: .request, label: phrase(connection, run.flow(of: connection).flatMap { hosts[$0] }),
            state: connection.isTelling ? .bad : .good,
            times: requests.isEmpty
                ? [span(connection.time, connection.time + (connection.tls?.duration ?? .zero))] : requests,
            targets: Set(targets(.address(connection.address), .tcp, port: connection.port)))
    }
}

/// A row for those that say the same: a program that tries again and again has one row with a mark for each.
private func callRows(_ run: RunEvidence) -> [ChartRow] {
    var rows: [ChartRow] = []
    var places: [String: Int] = [:]
    for call in run.calls?.own ?? [] where call.isTelling {
        let label = phrase(call)
        let place = places[label] ?? rows.count
        if place == rows.count {
            places[label] = place
            rows.append(ChartRow(kind: .call, label: label, state: .bad, times: []))
            if case .ip(let address, let port) = call.address {
                let transport = call.socket?.type == SocketKind.stream ? Flow.Transport.tcp : .udp
                rows[place].targets = Set(targets(.address(address), transport, port: port))
            }
        }
        rows[place].times.append(span(call.time, call.time + call.duration))
    }
    return rows
}

private func targets(_ host: Observation.Host, _ transport: Flow.Transport, port: UInt16) -> [Target] {
    let whole = Target.farEnd(host, transport, port: port)
    return switch host {
    case .address(let address): [whole, .address(address)]
    case .name(let name): [whole, .name(name)]
    }
}

/// Times come from the client's process and from a simulator that may be elsewhere: that the end is later is not certain.
private func span(_ start: Duration, _ end: Duration) -> ClosedRange<Duration> { start...max(start, end) }
