import DNSWire

/// The clients of a network, and how their queries are answered.
public struct ClientNetwork: Hashable, Sendable {
    public var clients: AddressMatchList
    public var policy: SynthesisPolicy

    public init(clients: AddressMatchList = .any, policy: SynthesisPolicy) {
        self.clients = clients
        self.policy = policy
    }
}

/// What a resolver knows, whom it serves and whom it asks.
public struct ResolverConfiguration: Sendable {
    public var store: RecordStore
    /// The first one that a client belongs to is its own; a client of none is refused.
    public var networks: [ClientNetwork]
    /// Who is asked for names outside the store's zones; nil: nobody, and such names are refused.
    public var forwarders: ForwarderConfiguration?
    /// Whether answers are validated, for clients that do not want to do that themselves (CD).
    public var validation: Validation?
    public var faults: [Fault] = []
    /// The largest UDP response; a client may ask for less.
    public var largestUDPResponse = Int(EDNS.defaultPayloadSize)
    /// Answers that are remembered.
    public var cacheCapacity = 65_536
    /// Queries that may wait for forwarders or for a delay, over all clients and for each.
    public var mostPending = 4096
    public var mostPendingPerClient = 512

    public init(store: RecordStore, networks: [ClientNetwork]) {
        self.store = store
        self.networks = networks
    }
}
