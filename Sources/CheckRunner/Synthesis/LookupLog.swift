import Findings

/// The preloaded library's evidence summed up: each different call once, in the order of their first appearance. Bounded,
/// however much a client sends.
struct LookupLog {
    /// Different calls that are kept.
    static let limit = 4096
    /// A client can claim what it likes; this is as much as is believed.
    static let lossLimit = 1_000_000_000

    private(set) var lookups: [Lookup] = []
    /// Records that the library could not send, that could not be read, or that did not fit; `lossLimit` and more are one.
    private(set) var lost = 0
    private var places: [Lookup: Int] = [:]

    mutating func take(_ datagram: [UInt8]) {
        do throws(EvidenceRecord.ParseError) {
            let record = try EvidenceRecord(datagram)
            lose(record.lost)
            take(Lookup(record))
        } catch {
            lose()
        }
    }

    mutating func lose(_ count: Int = 1) {
        lost = min(lost + min(max(0, count), Self.lossLimit), Self.lossLimit)
    }

    private mutating func take(_ lookup: Lookup) {
        // The same call in another process is the same call.
        var key = lookup
        key.process = 0
        if let place = places[key] {
            lookups[place].count += 1
        } else if lookups.count < Self.limit {
            places[key] = lookups.count
            lookups.append(lookup)
        } else {
            lose()
        }
    }
}
