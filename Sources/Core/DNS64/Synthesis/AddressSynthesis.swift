// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Wire

/// AAAA records from A records (RFC 6147 §5.1.7).
struct AddressSynthesis {
    let clauses: [SynthesisPolicy.Clause]
    let policy: SynthesisPolicy
    /// Limit from the negative answer to AAAA, in seconds; `nil` if it had no SOA record.
    let negativeTTL: UInt32?

    /// Without a SOA record, "the DNS64 SHOULD use the TTL of the original A RR or 600 seconds, whichever is shorter".
    static let maximumTTLWithoutSOA: UInt32 = 600

    private var limit: UInt32 { negativeTTL ?? Self.maximumTTLWithoutSOA }

    /// The addresses that get an AAAA record, and the reason why the others get none.
    func fate(of addresses: [IPv4Address]) -> (mapped: [IPv4Address], reason: NoAnswerReason?) {
        func isMapped(_ address: IPv4Address) -> Bool { clauses.contains { $0.map(address, under: policy) != nil } }
        let mapped = addresses.filter(isMapped)
        if mapped.count == addresses.count { return (mapped, nil) }
        let others = addresses.filter { !isMapped($0) }
        // If a clause includes an address, only the rule for the well-known prefix can exclude it.
        let notGlobal = others.filter { address in clauses.contains { $0.mapped.contains(.ipv4(address)) } }
        return (mapped, notGlobal.isEmpty ? .notMapped(others) : .notGlobal(notGlobal))
    }

    /// The answer with its A records replaced, each by one AAAA record per clause that maps it, after the aliases. Authority and additional
    /// sections stay as in the answer (§5.3.2, §5.4), which is no longer authentic by itself (§5.5).
    func apply(to answer: Answer) -> Answer {
        var result = answer.unsigned(.a)
        result.answer = result.answer.flatMap { record -> [ResourceRecord] in
            guard case .a(let address) = record.data else { return [record] }
            return synthesise(from: record, address)
        }
        return result
    }

    private func synthesise(from record: ResourceRecord, _ address: IPv4Address) -> [ResourceRecord] {
        var made: [ResourceRecord] = []
        for clause in clauses {
            guard let mapped = clause.map(address, under: policy) else { continue }
            // NAME ← that of the A record, TYPE ← AAAA, CLASS ← IN, RDATA ← the representation of its address
            made.append(
                ResourceRecord(
                    name: record.name,
                    // TTL ← the lesser of the A record's and the negative answer's
                    ttl: min(record.ttl, policy.behaviour.limitsTTL ? limit : .max),
                    data: .aaaa(mapped)))
        }
        return made
    }
}
