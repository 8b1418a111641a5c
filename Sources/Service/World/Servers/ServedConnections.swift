// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
package import Evidence
import Synchronization
package import Topology
package import Wire

/// The connections of all clients to all TCP services of a world, and what the services had no room for.
///
/// Theory of operation. Every connection is accepted at once, so that none waits in a kernel's queue that another client has
/// filled. It then takes a slot, or is closed; where no slot is free, the client that holds the most gives up its oldest
/// connection to one that holds fewer (`ClientShares`). Any thread may call.
package final class ServedConnections: Sendable {
    /// Connections at one time, of all clients and services together, where the process may have many descriptors.
    package static let limit = 1024
    /// Descriptors that are for everything else: packets, names, attached clients.
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
        /// Of each place in which a client is.
        var refusals: [ClientSlot: RefusalCounts] = [:]
        /// Services that nobody serves any more: no more than the world has.
        var ended: [(service: ServiceEnd, transport: Flow.Transport, reason: WorldRefusal.Reason)] = []

        mutating func note(
            _ reason: WorldRefusal.Reason, _ client: ServedClient, _ service: ServiceEnd, _ now: Instant
        ) {
            // Who is in no place has nobody who would ask.
            guard case .place(let place) = client else { return }
            refusals[place]?.note(reason, .tcp, service.address, port: service.port, at: now)
        }
    }

    /// Connections of a process that may have so many descriptors.
    package static func limit(descriptors: Int) -> Int { max(32, min(limit, descriptors - reserve)) }

    private let state: Mutex<State>
    private let now: @Sendable () -> Instant
    /// Who is behind the connections of a proxy.
    let proxied = ProxiedClients()

    package init(limit: Int = limit, now: @escaping @Sendable () -> Instant) {
        state = Mutex(State(shares: ClientShares(limit: limit)))
        self.now = now
    }

    /// Takes a slot for a connection from `peer`.
    /// - Parameter close: ends the connection at once; called on any thread, and not before this has returned.
    /// - Returns: the number to release it under; `nil` if there is no room, and the connection is to be closed.
    func admit(_ peer: IPAddress, to service: ServiceEnd, close: @escaping @Sendable () -> Void) -> UInt64? {
        let client = ServedClient(peer)
        let now = now()
        let (number, taken) = state.withLock { state -> (UInt64?, Seat?) in
            // It has gone, and this was in the kernel's queue still: nobody would ever end it.
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

    /// Something else that a service had no room for.
    func note(_ reason: WorldRefusal.Reason, _ client: ServedClient, _ service: ServiceEnd) {
        let now = now()
        state.withLock { $0.note(reason, client, service, now) }
    }

    /// Nobody serves this any more: who is here and who comes learns of it.
    func noteEnd(of service: ServiceEnd, _ transport: Flow.Transport, because reason: WorldRefusal.Reason) {
        let now = now()
        state.withLock { state in
            state.ended.append((service, transport, reason))
            for place in state.refusals.keys {
                state.refusals[place]?.note(reason, transport, service.address, port: service.port, at: now)
            }
        }
    }

    /// The connection is no more.
    func release(_ number: UInt64) {
        state.withLock { state in
            state.shares.release(number)
            state.seats[number] = nil
        }
    }

    /// A client has come to this place: nothing of who was there before is its own.
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

    /// The client has gone, and its connections go with it.
    /// - Returns: what it was refused.
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
    /// Where its clients come in; `nil` is everywhere.
    let interface: Int?

    init(_ service: World.Service, at interface: Int? = nil) {
        address = service.address
        port = service.port
        self.interface = interface
    }
}
