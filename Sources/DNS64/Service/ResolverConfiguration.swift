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

/// What a resolver knows, and whom it serves.
public struct ResolverConfiguration: Sendable {
    public var store: RecordStore
    /// The first one that a client belongs to is its own; a client of none is refused.
    public var networks: [ClientNetwork]
    /// The largest UDP response; a client may ask for less.
    public var largestUDPResponse = Int(EDNS.defaultPayloadSize)

    public init(store: RecordStore, networks: [ClientNetwork]) {
        self.store = store
        self.networks = networks
    }

    func network(of client: Endpoint.Address) -> ClientNetwork? {
        networks.first { $0.clients.contains(client) }
    }
}
