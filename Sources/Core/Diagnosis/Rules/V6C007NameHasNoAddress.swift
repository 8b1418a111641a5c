// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import Wire

extension Rule {
    package static let nameHasNoAddress = Rule(
        id: "V6C-007", title: "looks up a name that has no address record",
        advice:
            "Check the name. One that the simulated world lacks is added by a world file (--world FILE).",
        furtherAdvice: { examination in
            let names = examination.run.seen.questions.map(\.name)
            return names.contains { examination.hiddenAddress(of: $0) != nil }
                ? "The DNS64 of this world takes AAAA records away: leave out profile: apple-always, or ignore-aaaa, or give the host an IPv4 address."
                : nil
        },
        isCompared: true, needs: [.queries]
    ) { examination in
        let questions = examination.run.seen.questions.filter(\.isForAddress)
        // Configured faults are reported beside the questions, and need no finding.
        let settled = Set(questions.filter { !$0.answer.isEmpty || !$0.isFaultless }.map(\.name))
        return questions.filter { !settled.contains($0.name) }.map { query in
            let outcome: Statement =
                switch query.first.responseCode {
                case .noError: "no address record"
                case let code?: "\(code)"
                case nil: "no reply"
                }
            let hidden = examination.hiddenAddress(of: query.name).map { address -> Statement in
                "; its only address is \(address), and the DNS64 ignores AAAA records (profile apple-always, or ignore-aaaa)"
            }
            return Observation(.name(query.name), "\(query.name): \(outcome)\(hidden ?? "").")
        }
    }
}

extension Examination {
    /// The IPv6 address that a host without IPv4 has on dual-stack, while the DNS64 here ignores its AAAA record.
    fileprivate func hiddenAddress(of name: DomainName) -> IPAddress? {
        guard Set<Network>.translated.union([.nat64CLAT]).contains(run.network),
            run.seen.questions.contains(where: { $0.name == name && $0.question.type == .aaaa }),
            run.seen.questions.allSatisfy({ $0.name != name || $0.addresses.isEmpty && $0.isFaultless })
        else { return nil }
        let there = (control?.seen.questions ?? []).filter { $0.name == name }.flatMap(\.addresses)
        return there.allSatisfy { !$0.isIPv4 } ? there.first : nil
    }
}
