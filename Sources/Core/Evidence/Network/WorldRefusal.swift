// SPDX-License-Identifier: Apache-2.0
package import Wire

/// Something that a server of the simulated world did not do for a client, mostly for lack of room: a limit of the simulator, at which a
/// real network would have gone on.
package struct WorldRefusal: Codable, Hashable, Sendable {
    package enum Reason: String, Codable, Sendable, CaseIterable {
        /// A connection was closed at once: no slot was free, and no other client held more of them.
        case connectionRefused = "connection-refused"
        /// An open connection was closed for another client's: this client held the most.
        case connectionTaken = "connection-taken"
        /// A query was answered with SERVFAIL: too many were waiting for their answers.
        case queryRefused = "query-refused"
        /// The program that serves the port had ended.
        case programEnded = "program-ended"
        /// The port's server could not be started when the first client arrived.
        case serviceFailed = "service-failed"

        /// Whether the service was gone, for any client.
        package var isOfService: Bool {
            switch self {
            case .programEnded, .serviceFailed: true
            case .connectionRefused, .connectionTaken, .queryRefused: false
            }
        }
    }

    package var reason: Reason
    /// The service that refused, by its address in the world.
    package var transport: Flow.Transport
    package var address: IPAddress
    package var port: UInt16
    package var count: Int
    /// When it first happened, since the client was connected.
    package var first: Duration

    package init(
        _ reason: Reason, _ transport: Flow.Transport, _ address: IPAddress, port: UInt16, count: Int = 1,
        first: Duration = .zero
    ) {
        self.reason = reason
        self.transport = transport
        self.address = address
        self.port = port
        self.count = count
        self.first = first
    }
}

/// One client's refusals as they happen: one entry for each reason and service.
package struct RefusalCounts: Sendable {
    package private(set) var all: [WorldRefusal] = []
    private let start: Instant

    /// No world has as many services as this; any above the limit are counted with the last one.
    private static let limit = 256

    /// - Parameter start: when the client was connected.
    package init(since start: Instant) {
        self.start = start
    }

    package mutating func note(
        _ reason: WorldRefusal.Reason, _ transport: Flow.Transport, _ address: IPAddress, port: UInt16, at now: Instant
    ) {
        let known = all.firstIndex {
            $0.reason == reason && $0.transport == transport && $0.address == address && $0.port == port
        }
        if let index = known ?? (all.count < Self.limit ? nil : all.count - 1) {
            all[index].count += 1
        } else {
            all.append(WorldRefusal(reason, transport, address, port: port, first: max(.zero, now - start)))
        }
    }
}
