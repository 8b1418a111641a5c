// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import Wire

extension Rule {
    /// The exit status does not show it: data that is measured, logged or reported along the way gets lost.
    package static let reachedOnDualStackAlone = Rule(
        id: "V6C-087", title: "passes without a host that it reaches on dual-stack", severity: .warning,
        advice:
            "Look the host up with AF_UNSPEC and try every address; and have the exit status say when what was to be sent was not.",
        adviceByLanguage: Rule.asksForIPv4Only.adviceByLanguage,
        fittingAdvice: { examination, observations in
            let refused = examination.hostsOfDualStackAlone.filter { host in
                if case .given = host.wish { observations.contains { $0.subject == host.subject } } else { false }
            }
            if refused.isEmpty { return nil }
            return Rule.refusesSynthesisedAddress.advice(for: Language(of: observations.first?.site, in: examination))
        },
        networks: .ipv6Only, clients: .passing, needs: [.queries, .flows],
        supersedes: ["V6C-085", "V6C-089"]
    ) { examination in
        lazy var choosesHosts = examination.choosesHosts
        return examination.hostsOfDualStackAlone.compactMap { host in
            guard let wish = host.wish, !examination.isToldByCalls(host) else { return nil }
            // A mirror or a peer that it only looked up.
            if case .given = wish, choosesHosts { return nil }
            let here: Statement =
                switch wish {
                case .tried(let sent) where sent > 0: "\(octets: sent) sent here, and nothing came through"
                case .tried: "nothing here, although it tried"
                case .lookedUp: "nothing here, although it called getaddrinfo for it"
                case .read: "nothing here, although it was given the address"
                case .asked(let type): "nothing here, although it asked for \(type) of it"
                case .given(let address): "nothing here, although the DNS gave it \(address)"
                }
            if case .given = wish, let name = host.name {
                let site = examination.site(ofLookupOf: name)
                return Observation(
                    host.subject, "\(host.statement), \(here).\(examination.lookupPlace(site))", at: site)
            }
            let lookup = examination.lookups.first { lookup in
                lookup.isIPv4Only && lookup.node.flatMap { try? DomainName($0) } == host.name
            }
            return Observation(host.subject, "\(host.statement), \(here).", at: lookup?.site)
        }
    }
}

extension Examination {
    /// Whether a traced attempt shows the same, with its line (V6C-024).
    fileprivate func isToldByCalls(_ host: HostOfDualStackAlone) -> Bool {
        guard Rule.hiddenIPv4.applies(to: self), let address = host.flow.ipv4Destination else { return false }
        return run.calls?.attempts.contains { $0.isUnreachable && $0.ipv4 == address } ?? false
    }
}
