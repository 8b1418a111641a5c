// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence

extension Rule {
    /// Only those names of the NTP pool that begin with 2 have AAAA records.
    package static let asksIPv4Pool = Rule(
        id: "V6C-056", title: "asks the NTP pool by a name that has IPv4 addresses only", severity: .warning,
        advice:
            "Ask for 2.pool.ntp.org (or 2.VENDOR.pool.ntp.org), which has IPv6 addresses: without DNS64 the other names lead nowhere.",
        networks: [.nat64], clients: .passing
    ) { examination in
        let questions = examination.run.seen.questions.filter { $0.isForAddress && isOfPool($0.name) }
        let native = Set(questions.filter(hasAddressOfItsOwn).map(\.name))
        // One name with AAAA records is enough.
        guard native.isEmpty else { return [] }
        return questions.map(\.name).unique.map { name in
            Observation(
                .name(name), "\(name) has no AAAA record of its own; here DNS64 makes one.")
        }
    }
}

private func isOfPool(_ name: DomainName) -> Bool {
    let text = "\(name)".lowercased()
    return text == "pool.ntp.org." || text.hasSuffix(".pool.ntp.org.")
}

private func hasAddressOfItsOwn(_ query: RepeatedQuery) -> Bool {
    query.question.type == .aaaa && !query.addresses.isEmpty && query.first.synthesisedFrom.isEmpty
}
