// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
package import Evidence
import Synchronization
package import Topology
package import Wire

/// The connections of all clients to all TCP services of a world, and what the services had no room for.
///
/// Theory of operation. Every connection is accepted at once, so that none waits in a kernel's queue that another client has
/// filled. It then takes a slot, or is closed. If no slot is free, the client with the most connections gives up its oldest
/// one to a client with fewer (`ClientShares`). Thread-safe.
package final class ServedConnections: Sendable {
    /// Maximum connections at a time, of all clients to all services, if the process may have enough descriptors.
    package static let limit = 1024
    /// Descriptors reserved for everything else: packets, names, attached clients.
    private static let reserve = 512

    private struct Seat {
        let client: ServedClient
        let service: ServiceEnd
        let close: @Sendable () -> Void
    }

    private struct State {
        var shares: ClientShares<ServedClient>
        var seats: [UInt64: Seat] = [:]
        var lastNumber: UInt64 = 0
        /// Refusals at each place that has a client.
        var refusals: [ClientSlot: RefusalCounts] = [:]
        /// Services that have ended; at most all of the world's.
        var ended: [(service: ServiceEnd, transport: Flow.Transport, reason: WorldRefusal.Reason)] = []

        mutating func note(
            _ reason: WorldRefusal.Reason, _ client: ServedClient, _ service: ServiceEnd, _ now: Instant
        ) {
            // A client without a place has no report that would list it.
            guard case .place(let place) = client else { return }
            refusals[place]?.note(reason, .tcp, service.address, port: service.port, at: now)
        }
    }

    /// Maximum connections of a process that may have `descriptors`.
    package static func limit(descriptors: Int) -> Int { max(32, min(limit, descriptors - reserve)) }

    private let state: Mutex<State>
    private let now: @Sendable () -> Instant
    /// The clients behind the connections of a proxy.
    let proxied = ProxiedClients()

    package init(limit: Int = limit, now: @escaping @Sendable () -> Instant) {
        state = Mutex(State(shares: ClientShares(limit: limit)))
        self.now = now
    }

    /// Takes a slot for a connection from `peer`.
    /// - Parameter close: ends the connection at once; called on any thread, and not before this has returned.
    /// - Returns: the number for `release`; `nil` if there is no room, and the connection must be closed.
    func admit(_ peer: IPAddress, to service: ServiceEnd, close: @escaping @Sendable () -> Void) -> UInt64? {
        let client = ServedClient(peer)
        let now = now()
        let (number, taken) = state.withLock { state -> (UInt64?, Seat?) in
            // The client has left, and its connection was still in the kernel's queue: nothing would ever end it.
            if case .place(let place) = client, state.refusals[place] == nil { return (nil, nil) }
            state.lastNumber += 1
            let number = state.lastNumber
            var taken: Seat?
            switch state.shares.take(number, for: client) {
            case .admitted: break
            case .replacing(let other): taken = state.seats.removeValue(forKey: other)
            case .refused:
                state.note(.connectionRefused, client, service, now)
                return (nil, nil)
            }
            state.seats[number] = Seat(client: client, service: service, close: close)
            if let taken { state.note(.connectionTaken, taken.client, taken.service, now) }
            return (number, taken)
        }
        taken?.close()
        return number
    }

    /// Notes a refusal of something other than a connection.
    func note(_ reason: WorldRefusal.Reason, _ client: ServedClient, _ service: ServiceEnd) {
        let now = now()
        state.withLock { $0.note(reason, client, service, now) }
    }

    /// Notes that a service has ended, for present and future clients.
    func noteEnd(of service: ServiceEnd, _ transport: Flow.Transport, because reason: WorldRefusal.Reason) {
        let now = now()
        state.withLock { state in
            state.ended.append((service, transport, reason))
            for place in state.refusals.keys {
                state.refusals[place]?.note(reason, transport, service.address, port: service.port, at: now)
            }
        }
    }

    /// Frees the slot of a connection that has ended.
    func release(_ number: UInt64) {
        state.withLock { state in
            state.shares.release(number)
            state.seats[number] = nil
        }
    }

    /// Prepares for a new client at `place`: the previous client's connections are closed, its refusals forgotten.
    package func begin(_ place: ClientSlot, at start: Instant) {
        closeAll(of: place)
        state.withLock { state in
            var counts = RefusalCounts(since: start)
            for (service, transport, reason) in state.ended {
                counts.note(reason, transport, service.address, port: service.port, at: start)
            }
            state.refusals[place] = counts
        }
    }

    /// Closes the connections of a client that has left.
    /// - Returns: its refusals.
    package func end(_ place: ClientSlot) -> [WorldRefusal] {
        let refusals = state.withLock { $0.refusals.removeValue(forKey: place)?.all ?? [] }
        closeAll(of: place)
        return refusals
    }

    private func closeAll(of place: ClientSlot) {
        let left = state.withLock { state in
            state.shares.numbers(of: .place(place)).compactMap { number in
                state.shares.release(number)
                return state.seats.removeValue(forKey: number)
            }
        }
        for seat in left { seat.close() }
    }
}

/// A service as its clients' reports name it.
struct ServiceEnd: Hashable, Sendable {
    let address: IPAddress
    let port: UInt16
    /// The interface that its clients use; `nil` is all.
    let interface: Int?

    init(_ service: World.Service, at interface: Int? = nil) {
        address = service.address
        port = service.port
        self.interface = interface
    }
}
