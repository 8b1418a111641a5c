import DNS64
public import Findings
import Wire

/// A client that is connected to its network.
public final class Connection {
    private let path: PacketPath
    private let dns: DNSService
    private let client: IPv6Address
    /// The DNS server's log is one for all runs: so many queries came, and so many records were lost, before.
    private let earlierQueries: Int
    private let earlierLoss: UInt64

    init(path: PacketPath, dns: DNSService, client: IPv6Address) {
        self.path = path
        self.dns = dns
        self.client = client
        let log = dns.log
        earlierQueries = log.all.count + Int(clamping: log.lost)
        earlierLoss = log.lost
    }

    /// Cuts the client off.
    public func cut() {
        _ = path.stop()
    }

    /// Cuts the client off, and says what was seen of it.
    public func end(_ end: ClientEnd, on network: Network, after duration: Duration) -> RunEvidence {
        let seen = path.stop()
        let log = dns.log
        let own = log.all.dropFirst(max(0, earlierQueries - Int(clamping: log.lost)))
        return RunEvidence(
            network: network, end: end, duration: duration,
            questions: [DNSQuestion](own.filter { $0.client.address == .ipv6(client) }), flows: seen.flows,
            refusals: seen.refusals, lost: seen.lost + Int(clamping: log.lost - earlierLoss))
    }
}
