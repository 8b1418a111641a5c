// SPDX-License-Identifier: Apache-2.0
import Evidence
import Sandbox

/// A summary of the preloaded library's evidence: each different call once, in the order of first appearance. Its size is bounded, however
/// much a client sends.
struct LookupLog {
    /// Maximum number of different calls.
    static let limit = 4096
    /// Maximum number of different connections to Unix sockets.
    static let localLimit = 256
    /// Maximum number of lost records that is believed; a client can claim any number.
    static let lossLimit = 1_000_000_000

    private(set) var lookups: [Lookup] = []
    /// Programs that were started and that the library could not be loaded into, in the order of their start.
    private(set) var uncovered: [UncoveredProgram] = []
    /// Unix sockets to which the client connected, each once.
    private(set) var localConnections: [LocalConnection] = []
    /// Whether the client asked for the addresses of the machine.
    private(set) var listsAddresses = false
    /// Records that the library could not send, that could not be read, or that did not fit; `lossLimit` at most.
    private(set) var lost = 0
    private var places: [Lookup: Int] = [:]
    /// The first lookup of those that differ in their lines alone.
    private var first: [Lookup: Int] = [:]
    private var started: Set<StartedProgram> = []
    private var uninspected: [StartedProgram] = []

    mutating func take(_ datagram: [UInt8]) {
        do throws(EvidenceRecord.ParseError) {
            let record = try EvidenceRecord(datagram)
            lose(record.lost)
            if record.call == EvidenceRecord.execution {
                take(started: record)
            } else if record.call == EvidenceRecord.localConnection {
                take(connected: record)
            } else if record.call == EvidenceRecord.interfaces {
                listsAddresses = true
            } else if let lookup = Lookup(record) {
                take(lookup)
            } else {
                lose()
            }
        } catch {
            lose()
        }
    }

    /// The programs that were started for the first time since the last call.
    mutating func takeUninspected() -> [StartedProgram] {
        defer { uninspected = [] }
        return uninspected
    }

    /// A file that cannot be read or understood may be gone already, or be another file by now, so it is not reported.
    mutating func take(_ inspection: ExecutableInspection, of started: StartedProgram) {
        let obstacle: SynthesisObstacle? =
            switch inspection.obstacle {
            case .unreadable, .unknownFormat: nil
            case nil: started.keepsLibrary ? nil : .clearedEnvironment
            case let obstacle?: obstacle
            }
        guard let obstacle else { return }
        uncovered.append(UncoveredProgram(path: started.program.description, obstacle: obstacle))
    }

    /// A path that was cut names another file, or none.
    private mutating func take(started record: EvidenceRecord) {
        guard let path = record.node, !record.isCut else { return }
        let program = StartedProgram(program: OSString(path), keepsLibrary: record.result != 0)
        if started.contains(program) { return }
        guard started.count < Self.limit else { return lose() }
        started.insert(program)
        uninspected.append(program)
    }

    private mutating func take(connected record: EvidenceRecord) {
        guard let path = record.node, !record.isCut else { return }
        let connection = LocalConnection(path: path, program: record.program)
        if localConnections.contains(connection) { return }
        guard localConnections.count < Self.localLimit else { return lose() }
        localConnections.append(connection)
    }

    mutating func lose(_ count: Int = 1) {
        lost = min(lost + min(max(0, count), Self.lossLimit), Self.lossLimit)
    }

    private mutating func take(_ lookup: Lookup) {
        // The same call in another process is the same call.
        var key = lookup
        key.process = 0
        var kind = key
        kind.site = lookup.site.withoutLine
        let hasLine = lookup.site.file != nil
        // Only the first calls of a kind come with lines.
        let known = first[kind].flatMap { !hasLine || lookups[$0].site.file == nil ? $0 : nil }
        if let place = places[key] ?? known {
            lookups[place].count += 1
            if lookups[place].site.file == nil { lookups[place].site = lookup.site }
            places[key] = place
        } else if lookups.count < Self.limit {
            places[key] = lookups.count
            first[kind] = first[kind] ?? lookups.count
            lookups.append(lookup)
        } else {
            lose()
        }
    }
}

/// A program that the client or a child of it has executed.
struct StartedProgram: Hashable {
    let program: OSString
    /// Whether its environment still names the library.
    let keepsLibrary: Bool
}
