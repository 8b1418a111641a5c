import Control
import DNS64
import DNSServer
import DNSWire
import LinuxNet
import Logging
import PacketPath
import Simulator
import Translation

/// Makes events of what is only counted or logged: faults that fired, and packets that went nowhere.
///
/// The data path sends no events; it is polled, and what is new since the last time becomes events.
struct Observer {
    private let dns: DNSService
    private let registry: Registry
    private var nextQuery: UInt64
    /// By client and reason.
    private var drops: [UInt64: [DropReason: UInt64]] = [:]

    /// Events of one look at the DNS log; more of them are counted as one.
    private static let mostQueries = 256

    init(_ dns: DNSService, _ registry: Registry) {
        self.dns = dns
        self.registry = registry
        nextQuery = dns.nextQuery
    }

    mutating func look() {
        lookAtQueries()
        lookAtPackets()
    }

    private mutating func lookAtQueries() {
        let excerpt = dns.records(from: nextQuery)
        nextQuery = excerpt.next
        let faulty = excerpt.records.filter { !$0.faults.isEmpty }
        for record in faulty.prefix(Self.mostQueries) {
            let asked = record.question.map { "\($0.name) \($0.type)" } ?? "a query"
            let effects = record.faults.map(\.description).joined(separator: ", ")
            registry.tell(
                .faultFired, level: .debug, "\(asked) of \(record.client): \(effects)",
                ["fault": effects, "query": asked])
        }
        if faulty.count > Self.mostQueries {
            registry.tell(
                .faultFired, level: .debug, "faults happened to \(faulty.count - Self.mostQueries) more queries",
                ["count": "\(faulty.count - Self.mostQueries)"])
        }
    }

    private mutating func lookAtPackets() {
        let clients = registry.clients
        drops = drops.filter { id, _ in clients.contains { $0.id == id } }
        for client in clients {
            guard let snapshot = client.connection.snapshot() else { continue }
            for drop in snapshot.drops {
                let known = drops[client.id]?[drop.reason] ?? 0
                guard drop.count > known else { continue }
                drops[client.id, default: [:]][drop.reason] = drop.count
                registry.tell(
                    .dropped, client: client.id, level: .debug,
                    "\(drop.count - known) × \(drop.reason): \(drop.reason.explanation), such as \(drop.example)",
                    ["reason": drop.reason.name, "count": "\(drop.count - known)"])
            }
        }
    }
}
