// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence

extension Rule {
    /// The name localhost does not belong in the DNS (RFC 6761 §6.3). It is asked for if the hosts file has no line for it in the wanted
    /// family, or by a resolver that does not read that file.
    package static let asksForLocalhost = Rule(
        id: "V6C-047", title: "asks the DNS for localhost",
        advice:
            "Put \"::1 localhost\" beside \"127.0.0.1 localhost\" into /etc/hosts of the machine or the image. A resolver of one's own "
            + "answers localhost with ::1 and 127.0.0.1 itself.",
        adviceByLanguage: [
            .node:
                "Use dns.lookup, which reads /etc/hosts, instead of dns.resolve6; let the hosts file have \"::1 localhost\".",
            .python:
                "Use socket.getaddrinfo, which reads /etc/hosts, instead of a DNS library; let the hosts file have \"::1 localhost\".",
        ],
        supersedes: ["V6C-007", "V6C-010"]
    ) { examination in
        let asked = examination.run.seen.questions.filter(\.isForAddress)
        // A client that asked for other names later went on.
        guard let last = asked.last, isLocalhost(last.name), last.addresses.isEmpty else { return [] }
        return asked.filter { $0.name == last.name }.map(\.name).unique.map { name in
            Observation(
                .name(name), "It asked the DNS for \(name), which no name server needs to know.",
                at: examination.site(ofLookupOf: name))
        }
    }
}

/// localhost, also with a search domain.
private func isLocalhost(_ name: DomainName) -> Bool {
    guard let label = name.labels.first else { return false }
    return String(decoding: label, as: UTF8.self).lowercased() == "localhost"
}
