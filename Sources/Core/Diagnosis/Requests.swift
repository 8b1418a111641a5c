// SPDX-License-Identifier: Apache-2.0
import Evidence

/// The amount that a client asked a host for, as far as connections, octets and the world's own servers show it.
struct Requests {
    private(set) var connections = 0
    private(set) var octets: UInt64 = 0
    /// HTTP requests, where they are seen.
    private(set) var exchanges = 0
    /// Their methods and paths; `nil` if not all of them were kept.
    private var targets: Set<String>? = []

    init() {}

    init(_ flows: some Sequence<Flow>) {
        for flow in flows { add(flow) }
    }

    mutating func add(_ flow: Flow) {
        connections += flow.accepted
        octets += flow.bytesSent
    }

    mutating func add(_ connection: ServedConnection) {
        exchanges += connection.requestCount
        targets =
            connection.omittedExchanges > 0
            ? nil : targets?.union(connection.exchanges.map { "\($0.method) \($0.path)" })
    }

    var statement: Statement {
        let seen: Statement = exchanges > 0 ? "\(exchanges, "request") in " : ""
        return "\(seen)\(connections, "connection") with \(octets: octets) sent"
    }

    /// Whether it is less in connections, or in octets by more than the text of an address in a request makes.
    func isLess(than other: Requests) -> Bool {
        other.connections > connections || other.octets > octets * 5 / 4
    }

    /// The same for runs that are compared without another sign of a loss. The order of two requests makes a small difference, and a client
    /// that asks until it has what it waits for asks once more or less.
    func isClearlyLess(than other: Requests) -> Bool {
        if octets == 0 { return other.octets > 0 }
        func isFewer(_ count: KeyPath<Requests, Int>) -> Bool { other[keyPath: count] * 4 > self[keyPath: count] * 5 }
        return exchanges > 0 && isFewer(\.exchanges)
            || other.octets >= octets + 20 && (isFewer(\.connections) || other.octets > octets * 5 / 4)
            || other.octets >= octets * 3 + 8
    }

    /// Whether something that it asks for in another run is missing in each of these, which ask for the same. A path may have an address in it,
    /// so that there is another in its place.
    static func lack(_ runs: [Requests], of other: Requests) -> Bool {
        guard let first = runs.first?.targets, let targets = other.targets,
            runs.allSatisfy({ $0.targets == first && $0.exchanges < other.exchanges })
        else { return false }
        return !targets.isSubset(of: first)
    }
}
