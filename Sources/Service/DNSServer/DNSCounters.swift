// SPDX-License-Identifier: Apache-2.0
package import DNS64
import Wire

/// The counters of the DNS server.
package struct DNSCounters: Hashable, Sendable {
    /// Queries that left a record, by transport.
    package var queries: [Transport: UInt64] {
        [.udp: datagrams, .tcp: streamed].filter { $0.value > 0 }
    }
    private var datagrams: UInt64 = 0
    private var streamed: UInt64 = 0
    /// Answers that were synthesised.
    package internal(set) var synthesised: UInt64 = 0
    /// Responses that were truncated to the client's size.
    package internal(set) var truncated: UInt64 = 0
    /// Queries that were affected by faults.
    package internal(set) var faulty: UInt64 = 0
    /// Messages that were not looked up, by reason.
    package internal(set) var refusals: [RefusedQuery: UInt64] = [:]
    /// Messages to the forwarders' sockets that answered no outstanding question.
    package internal(set) var strays: UInt64 = 0
    package internal(set) var connectionsAccepted: UInt64 = 0
    /// Connections that were closed at once, because the limit was reached.
    package internal(set) var connectionsRefused: UInt64 = 0
    /// Connections that were closed because no whole query arrived in time.
    package internal(set) var connectionsTimedOut: UInt64 = 0

    mutating func take(_ connections: Connections.Counts) {
        connectionsAccepted = connections.accepted
        connectionsRefused = connections.refused
        connectionsTimedOut = connections.timedOut
    }

    mutating func count(_ record: QueryRecord) {
        switch record.transport {
        case .udp: datagrams += 1
        case .tcp: streamed += 1
        }
        if !record.synthesisedFrom.isEmpty { synthesised += 1 }
        if record.isTruncated { truncated += 1 }
        if !record.faults.isEmpty { faulty += 1 }
    }
}
