package import Topology
import DNS64
import DNSServer
package import Evidence
import LinuxNet
package import NAT64
package import PacketPath
import Wire

/// A client that is connected to its network.
package final class Connection: Sendable {
    package let place: ClientPlace
    package let network: Network
    private let path: PacketPath
    private let dns: DNSService
    /// The DNS server's log is one for all runs: the number of this one's first query.
    private let firstQuery: UInt64
    private let start: Instant

    /// The path has moved no packet yet.
    init(path: PacketPath, dns: DNSService, place: ClientPlace, network: Network) {
        self.path = path
        self.dns = dns
        self.place = place
        self.network = network
        firstQuery = dns.nextQuery
        start = MonotonicClock.now()
    }

    /// Cuts the client off.
    package func cut() {
        _ = path.stop()
    }

    /// Cuts the client off, and says what was seen of it, to the last packet and query that it sent.
    package func end() -> NetworkEvidence {
        let seen = path.stop()
        dns.settle()
        let log = dns.records(from: firstQuery)
        let addresses = place.addresses(on: network)
        // An answer may have been long in coming to a client before this one, which had the same address.
        let own = log.records.filter { addresses.contains($0.client.address) && $0.time >= start }
        var evidence = NetworkEvidence()
        evidence.queries = QueryExcerpt(own, since: start, lost: Int(clamping: log.lost))
        evidence.questions = [RepeatedQuery](own, since: start)
        evidence.lost = Int(clamping: log.lost)
        guard let seen else {
            // A thread that is stuck, on a file system that hangs for instance: what it saw is missing, and that is said.
            evidence.lost += 1
            return evidence
        }
        evidence.flows = seen.flows
        evidence.drops = seen.drops
        evidence.counters = seen.counters
        evidence.deletedLinks = seen.deleted.map { DeletedLink(side: $0.key, time: max(.zero, $0.value - start)) }
            .sorted { $0.time < $1.time }
        evidence.lost += seen.lost
        return evidence
    }

    /// What its path looks like now; `nil` if it has been cut off.
    package func snapshot() -> PathSnapshot? {
        path.snapshot()
    }

    /// The NAT64's session table, or as much of it as `limit` allows; `nil` if the client has been cut off.
    package func sessions(limit: Int) -> TableExcerpt<SessionReport>? {
        path.sessions(limit: limit)
    }

    /// The NAT64's BIB, likewise.
    package func bindings(limit: Int) -> TableExcerpt<BindingReport>? {
        path.bindings(limit: limit)
    }

    /// Translates by another prefix from the next packet on; the sessions that there are end.
    func change(to nat64: NAT64Configuration, seed: UInt64) {
        path.change(to: nat64, seed: seed)
    }
}
