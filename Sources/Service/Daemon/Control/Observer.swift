// SPDX-License-Identifier: Apache-2.0
import AttachServer
import Control
import DNS64
import DNSServer
import DNSWire
import LinuxNet
import Logging
import RouterThread
import Simulator
import Text
import Translation

/// Makes events of things that are only counted or logged: faults that fired, and packets that were dropped.
///
/// The data path sends no events; it is polled, and changes since the last poll become events.
struct Observer {
    private let dns: DNSService
    private let registry: Registry
    private var nextQuery: UInt64
    /// Dropped packets by client and reason.
    private var drops: [UInt64: [DropReason: UInt64]] = [:]

    /// Events of one poll of the DNS log; further ones are counted as one.
    private static let maximumQueries = 256

    init(_ dns: DNSService, _ registry: Registry) {
        self.dns = dns
        self.registry = registry
        nextQuery = dns.nextQuery
    }

    mutating func look(_ paths: PathSnapshots) {
        lookAtQueries()
        lookAtPackets(paths)
    }

    private mutating func lookAtQueries() {
        let excerpt = dns.records(from: nextQuery)
        nextQuery = excerpt.next
        let faulty = excerpt.records.filter { !$0.faults.isEmpty }
        for record in faulty.prefix(Self.maximumQueries) {
            let asked = record.question.map { "\($0.name) \($0.type)" } ?? "a query"
            let effects = record.faults.map(\.description).joined(separator: ", ")
            registry.tell(
                .faultFired, level: .debug, "\(asked) of \(record.client): \(effects)",
                ["fault": effects, "query": asked])
        }
        if faulty.count > Self.maximumQueries {
            registry.tell(
                .faultFired, level: .debug,
                "faults happened to \(counted(faulty.count - Self.maximumQueries, "more query", "more queries"))",
                ["count": "\(faulty.count - Self.maximumQueries)"])
        }
    }

    private mutating func lookAtPackets(_ paths: PathSnapshots) {
        drops = drops.filter { id, _ in paths.looks[id] != nil }
        for (id, look) in paths.looks.sorted(by: { $0.key < $1.key }) {
            for drop in look.last?.drops ?? [] {
                let known = drops[id]?[drop.reason] ?? 0
                guard drop.count > known else { continue }
                drops[id, default: [:]][drop.reason] = drop.count
                registry.tell(
                    .dropped, client: id, level: .debug,
                    "\(drop.count - known) × \(drop.reason): \(drop.reason.explanation), such as \(drop.example)",
                    ["reason": drop.reason.name, "count": "\(drop.count - known)"])
            }
        }
    }
}
