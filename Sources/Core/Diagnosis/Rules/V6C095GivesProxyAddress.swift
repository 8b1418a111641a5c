// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import Wire

extension Rule {
    /// An address below the Pref64 is valid on the client's network alone. A proxy beyond the NAT64 has no route to it, and would look the
    /// name up itself if it were given the name.
    package static let givesProxySynthesisedAddress = Rule(
        id: "V6C-095", title: "gives a proxy a synthesised address in place of the name",
        advice:
            "Give the proxy the name: SOCKS5 has an address type for it (RFC 1928 §4, ATYP 3), CONNECT takes name:port. Do not look the name "
            + "up before.",
        adviceByLanguage: [
            .python:
                "Write socks5h:// in place of socks5://, rdns=True, or CONNECT name:port: the proxy then looks the name "
                + "up.",
            .shell:
                "Write socks5h:// in place of socks5:// (curl: --socks5-hostname): the proxy then looks the name up.",
        ],
        networks: .ipv6Only, supersedes: ["V6C-003", "V6C-005", "V6C-044"]
    ) { examination in
        let run = examination.run
        let questions = run.seen.questions.filter { !$0.first.synthesisedFrom.isEmpty }
        return run.seen.connections.compactMap { connection in
            guard let asked = connection.proxied, [.unroutable, .refused, .timedOut].contains(asked.result),
                let address = IPAddress(asked.host),
                let question = questions.first(where: { $0.addresses.contains(address) })
            else { return nil }
            let site = examination.site(ofLookupOf: question.name)
            return Observation(
                .name(question.name),
                "It asked a proxy for \(address), which the DNS64 made for \(question.name): beyond the NAT64 there is no such address."
                    + examination.lookupPlace(site), at: site)
        }.unique
    }
}
