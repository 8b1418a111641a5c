import DNS64
public import Findings
public import NAT64
import Wire

/// A client that is connected to its network.
public final class Connection: Sendable {
    public let place: ClientPlace
    public let network: Network
    private let path: PacketPath
    private let dns: DNSService
    /// The DNS server's log is one for all runs: so many queries came, and so many records were lost, before.
    private let earlierQueries: Int
    private let earlierLoss: UInt64

    init(path: PacketPath, dns: DNSService, place: ClientPlace, network: Network) {
        self.path = path
        self.dns = dns
        self.place = place
        self.network = network
        let log = dns.log
        earlierQueries = log.all.count + Int(clamping: log.lost)
        earlierLoss = log.lost
    }

    /// Cuts the client off.
    public func cut() {
        _ = path.stop()
    }

    /// Cuts the client off, and says what was seen of it.
    public func end() -> NetworkEvidence {
        let seen = path.stop()
        let log = dns.log
        let own = log.all.dropFirst(max(0, earlierQueries - Int(clamping: log.lost)))
        let client = place.ipv6(on: network)
        return NetworkEvidence(
            questions: [DNSQuestion](own.filter { $0.client.address == .ipv6(client) }), flows: seen.flows,
            refusals: seen.refusals, counters: seen.counters, lost: seen.lost + Int(clamping: log.lost - earlierLoss))
    }

    /// What its path looks like now; nil where it has been cut off.
    public func snapshot() -> PathSnapshot? {
        path.ask { PathSnapshot($0) }
    }

    /// The NAT64's session table, or as much of it as `limit` allows; nil where the client has been cut off.
    public func sessions(limit: Int) -> TableExcerpt<SessionReport>? {
        path.ask { $0.sessions(limit: limit) }
    }

    /// The NAT64's BIB, likewise.
    public func bindings(limit: Int) -> TableExcerpt<BindingReport>? {
        path.ask { $0.bindings(limit: limit) }
    }

    /// Translates by another prefix from the next packet on; the sessions that there are end.
    func change(to translator: AddressTranslator, nat64: @escaping @Sendable () -> NAT64) {
        _ = path.ask { $0.change(to: translator, nat64: nat64()) }
    }
}
