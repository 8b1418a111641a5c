// SPDX-License-Identifier: Apache-2.0
/// Slots that several clients share: any of them may have as many as are free, and none keeps another from its share.
///
/// Theory of operation. Each slot that is held has a number, given by the caller and never used again; a client's are kept in the
/// order in which they were taken. When no slot is free, the client that holds the most gives its oldest one up to a client that
/// holds fewer, and a client that itself holds the most is refused. So whatever some do, each of n clients can hold `limit / n`.
package struct ClientShares<Client: Hashable & Sendable>: Sendable {
    package enum Decision: Hashable, Sendable {
        case admitted
        /// Admitted in place of this one, of the client that held the most, which holds it no longer.
        case replacing(UInt64)
        case refused
    }

    package let limit: Int
    private var held: [Client: [UInt64]] = [:]
    private var owners: [UInt64: Client] = [:]

    package init(limit: Int) {
        precondition(limit > 0)
        self.limit = limit
    }

    /// Slots that are held, by all clients together.
    package var count: Int { owners.count }

    package func count(of client: Client) -> Int { held[client]?.count ?? 0 }

    package func numbers(of client: Client) -> [UInt64] { held[client] ?? [] }

    /// Takes a slot for `client` under a new `number`.
    package mutating func take(_ number: UInt64, for client: Client) -> Decision {
        guard owners.count >= limit else {
            hold(number, client)
            return .admitted
        }
        // With one more this client would hold as many as the one that gives up a slot has left, at most.
        guard let first = held.values.max(by: { $0.count < $1.count })?.first, let most = owners[first],
            count(of: most) > count(of: client) + 1
        else { return .refused }
        release(first)
        hold(number, client)
        return .replacing(first)
    }

    /// Gives a slot back, if it is held still.
    package mutating func release(_ number: UInt64) {
        guard let client = owners.removeValue(forKey: number) else { return }
        held[client]?.removeAll { $0 == number }
        if held[client]?.isEmpty == true { held[client] = nil }
    }

    private mutating func hold(_ number: UInt64, _ client: Client) {
        owners[number] = client
        held[client, default: []].append(number)
    }
}
