// SPDX-License-Identifier: Apache-2.0
import Glibc
package import LinuxNet
import Synchronization
package import Topology

/// The places of a simulator, and the requests that wait for one.
///
/// Theory of operation. `request` gives a place at once if that is possible; else the request waits until it is given one
/// (`place`, with `descriptor` readable) or is withdrawn. Next is the user with a waiting request and the fewest places,
/// then the user whose turn is the longest ago; among one user's requests, the oldest. No user has more than a share (`PeerShares`).
/// The place that has been free for longest is given first, so that packets still on their way to a client that has left have time
/// to vanish before another client has its addresses.
package final class Places: Sendable {
    private let state: Mutex<State>

    fileprivate struct State {
        var free: [ClientSlot]
        var shares: PeerShares
        var waiting: [PlaceRequest] = []
        /// The number of each user's last turn.
        var turns: [UInt32: UInt64] = [:]
        var turn: UInt64 = 0
    }

    /// - Parameter own: this process's user.
    package init(_ count: Int, on link: ClientLink, own: UInt32 = geteuid()) {
        state = Mutex(
            State(
                free: (0..<count).map { ClientSlot($0, on: link) }, shares: PeerShares(count, factor: 3, own: own)))
    }

    /// A place for a runner of this user.
    package func request(for user: UInt32) throws(SystemError) -> PlaceRequest {
        let request = try PlaceRequest(user)
        state.withLock { state in
            state.waiting.append(request)
            state.assign()
        }
        return request
    }

    /// The reason why the request has to wait, as part of a sentence.
    package func reason(for request: PlaceRequest) -> String {
        state.withLock { $0.shares.objection(to: request.user, of: "slots of the simulator") }
    }

    /// Ends the request; its place, if it has one, becomes free for others.
    package func end(_ request: PlaceRequest) {
        state.withLock { state in
            if let place = request.take() {
                state.free.append(place)
                state.shares.give(back: request.user)
            } else {
                state.waiting.removeAll { $0 === request }
            }
            state.assign()
        }
    }
}

extension Places.State {
    /// Gives the free places to waiting requests.
    fileprivate mutating func assign() {
        while let next = next() {
            guard shares.take(for: waiting[next].user) else { return }
            let request = waiting.remove(at: next)
            turn += 1
            turns[request.user] = turn
            request.grant(free.removeFirst())
        }
        // Turns are compared between users with waiting requests only.
        if waiting.isEmpty { turns = turns.filter { shares.count(of: $0.key) > 0 } }
    }

    /// The oldest request of the user whose turn it is.
    private func next() -> Int? {
        let eligible = waiting.indices.filter { shares.admits(waiting[$0].user) }
        return eligible.min { left, right in rank(left) < rank(right) }
    }

    private func rank(_ index: Int) -> (Int, UInt64, Int) {
        let user = waiting[index].user
        return (shares.count(of: user), turns[user, default: 0], index)
    }
}

/// A runner's request for a place.
package final class PlaceRequest: Sendable {
    fileprivate let user: UInt32
    private let granted = Mutex<ClientSlot?>(nil)
    private let wakeUp: EventSignal

    fileprivate init(_ user: UInt32) throws(SystemError) {
        self.user = user
        wakeUp = try EventSignal()
    }

    /// Readable when the request has a place.
    package var descriptor: Int32 { wakeUp.descriptor }

    package var place: ClientSlot? { granted.withLock { $0 } }

    fileprivate func grant(_ place: ClientSlot) {
        granted.withLock { $0 = place }
        wakeUp.wake()
    }

    fileprivate func take() -> ClientSlot? {
        granted.withLock { place in
            defer { place = nil }
            return place
        }
    }
}
