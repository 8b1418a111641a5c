// SPDX-License-Identifier: Apache-2.0
import Evidence

/// The amount that a client asked a host for, as far as connections, octets and the world's own servers show it.
struct Requests {
    private(set) var connections = 0
    private(set) var octets: UInt64 = 0
    /// HTTP requests, where they are seen.
    private(set) var exchanges = 0

    init() {}

    init(_ flows: some Sequence<Flow>) {
        for flow in flows { add(flow) }
    }

    mutating func add(_ flow: Flow) {
        connections += flow.accepted
        octets += flow.bytesSent
    }

    mutating func add(_ connection: ServedConnection) { exchanges += connection.requestCount }

    var statement: Statement {
        let seen: Statement = exchanges > 0 ? "\(exchanges, "request") in " : ""
        return "\(seen)\(connections, "connection") with \(octets: octets) sent"
    }

    /// Whether it is less in connections, or in octets by more than the text of an address in a request makes.
    func isLess(than other: Requests) -> Bool {
        other.connections > connections || other.octets > octets * 5 / 4
    }

    /// The same for runs that are compared without another sign of a loss: the order of two requests makes a small difference, too.
    func isClearlyLess(than other: Requests) -> Bool {
        if octets == 0 { return other.octets > 0 }
        if exchanges > 0, other.exchanges > exchanges { return true }
        return other.octets >= octets + 20 && isLess(than: other) || other.octets >= octets * 3 + 8
    }
}
