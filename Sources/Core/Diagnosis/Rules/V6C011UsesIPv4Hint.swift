// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Evidence
import Wire

extension Rule {
    /// The hints of an HTTPS record spare a client the wait for A and AAAA, but replace neither.
    package static let usesIPv4Hint = Rule(
        id: "V6C-011", title: "uses only the IPv4 hint of an HTTPS record",
        advice:
            "Ask for AAAA beside HTTPS, and try what it gives: ipv4hint is there to save time (RFC 9460 §7.3), and no DNS64 "
            + "makes an ipv6hint of it.",
        networks: [.nat64], needs: [.queries]
    ) { examination in
        guard let control = examination.control else { return [] }
        let told = control.seen.told
        return examination.telling.compactMap { flow in
            guard case .ipv4(let address) = flow.remote, !told.contains(flow.remote),
                let query = control.seen.questions.first(where: { $0.ipv4Hints.contains(address) })
            else { return nil }
            return Observation(
                .name(query.name),
                "On dual-stack it went to \(address) (\(service: flow)), an ipv4hint in the \(query.question.type) record of "
                    + "\(query.name); here there is no IPv4 route to it.",
                at: examination.attempt(at: address).flatMap { $0.call.site(in: $0.evidence) }
                    ?? examination.site(ofLookupOf: query.name))
        }
    }
}
