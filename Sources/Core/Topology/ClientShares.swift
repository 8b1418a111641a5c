// SPDX-License-Identifier: Apache-2.0
/// Slots that several clients share: a client may have as many as are free, and no client keeps another one from its share.
///
/// Theory of operation. Each slot in use has a number, given by the caller and never reused; a client's numbers are kept in the order in
/// which they were taken. When no slot is free, the client with the most slots loses its oldest one to a client that has fewer, and a
/// client that would then have more than the loser keeps is refused. So each of n clients can have `limit / n`, whatever the others do.
package struct ClientShares<Client: Hashable & Sendable>: Sendable {
    package enum Decision: Hashable, Sendable {
        case admitted
        /// Admitted in exchange for this slot, which the client with the most slots has lost.
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

    /// The number of slots in use, by all clients together.
    package var count: Int { owners.count }

    package func count(of client: Client) -> Int { held[client]?.count ?? 0 }

    package func numbers(of client: Client) -> [UInt64] { held[client] ?? [] }

    /// Takes a slot for `client` under a new `number`.
    package mutating func take(_ number: UInt64, for client: Client) -> Decision {
        guard owners.count >= limit else {
            hold(number, client)
            return .admitted
        }
        // Even with one more, this client has at most as many slots as the client that loses one.
        guard let first = held.values.max(by: { $0.count < $1.count })?.first, let most = owners[first],
            count(of: most) > count(of: client) + 1
        else { return .refused }
        release(first)
        hold(number, client)
        return .replacing(first)
    }

    /// Frees a slot, if it is still in use.
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
