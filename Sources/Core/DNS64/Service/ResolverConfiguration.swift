// SPDX-License-Identifier: Apache-2.0
import DNSWire

/// The clients of a network, and how their queries are answered.
package struct ServedNetwork: Hashable, Sendable {
    package var clients: AddressMatchList
    package var policy: SynthesisPolicy

    package init(clients: AddressMatchList = .any, policy: SynthesisPolicy) {
        self.clients = clients
        self.policy = policy
    }
}

/// A resolver's records, the clients that it serves, and the servers that it asks.
package struct ResolverConfiguration: Sendable {
    package var store: RecordStore
    /// The first one that contains a client decides; a client of none is refused.
    package var networks: [ServedNetwork]
    /// The servers that are asked for names outside the store's zones; `nil` if there are none, and such names are REFUSED.
    package var forwarders: ForwarderConfiguration?
    /// Validation of answers, for clients that do not validate themselves (CD).
    package var validation: Validation?
    package var faults: [Fault] = []
    /// The largest UDP response; a client may ask for less.
    package var largestUDPResponse = Int(EDNS.defaultPayloadSize)
    /// Number of answers in the cache.
    package var cacheCapacity = 65_536
    /// Queries that may wait for forwarders or for a delay, over all clients and for each.
    package var maximumPending = 4096
    package var maximumPendingPerClient = 512

    /// Number of client addresses that get a share each when slots are short.
    static let sharers = 64

    package init(store: RecordStore, networks: [ServedNetwork]) {
        self.store = store
        self.networks = networks
    }
}
