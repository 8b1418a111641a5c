import Control
import DNS64
import DNSWire
import Evidence
import LinuxNet
import Logging
import PacketPath
import Simulator

/// Makes events of what is only counted or logged: faults that fired, and packets that went nowhere.
///
/// The data path tells nobody anything; it is looked at once in a while, and what is new since then is told.
struct Observer {
    private let simulator: Simulator
    private let registry: Registry
    private var nextQuery: UInt64
    /// By client and reason.
    private var drops: [UInt64: [String: UInt64]] = [:]

    /// Events of one look at the DNS log; more of them are counted as one.
    private static let mostQueries = 256

    init(_ simulator: Simulator, _ registry: Registry) {
        self.simulator = simulator
        self.registry = registry
        nextQuery = simulator.dns.nextQuery
    }

    mutating func look() {
        lookAtQueries()
        lookAtPackets()
    }

    private mutating func lookAtQueries() {
        let excerpt = simulator.dns.records(from: nextQuery)
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
            for refusal in snapshot.refusals {
                let known = drops[client.id]?[refusal.reason] ?? 0
                guard refusal.count > known else { continue }
                drops[client.id, default: [:]][refusal.reason] = refusal.count
                registry.tell(
                    .dropped, client: client.id, level: .debug,
                    "\(refusal.count - known) × \(refusal.reason): \(refusal.explanation), such as \(refusal.example)",
                    ["reason": refusal.reason, "count": "\(refusal.count - known)"])
            }
        }
    }
}
