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
            // The address is not what it refuses.
            if refused.allSatisfy({ !$0.flow.remote.isIPv4 && examination.run.seen.told.contains($0.flow.remote) }) {
                return
                    "On dual-stack it went there by the same IPv6 address. Unless it chooses anew in each run, look at what it asks before: "
                    + "for an IPv4 address of the machine, or whether it is online."
            }
            let language = Language(of: observations.first?.site, in: examination)
            if refused.contains(where: { examination.refusedByFamily($0) != nil }) {
                return Rule.mixesFamilies.advice(for: language)
            }
            return Rule.refusesSynthesisedAddress.advice(for: language)
        },
        networks: .ipv6Only, clients: .passing, needs: [.queries, .flows],
        supersedes: ["V6C-085", "V6C-089"]
    ) { examination in
        lazy var choosesHosts = examination.choosesHosts
        let error = examination.handledError(ofConnections: true)
        let said: Statement = error.map { " \($0.statement)" } ?? ""
        return examination.hostsOfDualStackAlone.compactMap { host in
            guard let wish = host.wish, !(Rule.hiddenIPv4.applies(to: examination) && examination.isTriedByIPv4(host))
            else { return nil }
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
            if let call = examination.refusedByFamily(host) {
                let (told, site) = examination.told(call)
                return Observation(host.subject, "\(host.statement), \(here). \(told).", at: site)
            }
            if case .given = wish, let name = host.name {
                let site = examination.site(ofLookupOf: name)
                return Observation(
                    host.subject, "\(host.statement), \(here).\(examination.lookupPlace(site))\(said)",
                    at: error?.site ?? site)
            }
            let lookup = examination.lookups.first { lookup in
                lookup.isIPv4Only && lookup.node.flatMap { try? DomainName($0) } == host.name
            }
            let site = lookup?.site ?? host.name.flatMap(examination.site(ofLookupOf:))
            return Observation(
                host.subject, "\(host.statement), \(here).\(lookup == nil ? examination.lookupPlace(site) : "")\(said)",
                at: error?.site ?? site)
        }
    }
}

extension Examination {
    /// The call for one of a host's addresses that failed as the socket is of the other family.
    fileprivate func refusedByFamily(_ host: HostOfDualStackAlone) -> TracedCall? {
        guard let name = host.name else { return nil }
        let addresses = Set(run.seen.addresses(of: name) + (again?.seen.addresses(of: name) ?? []))
        return traced.attempts.first { call in
            call.error == .familyNotSupported && call.address?.ip.map(addresses.contains) == true
        }
    }

    /// Whether a traced attempt at the host's IPv4 address failed: V6C-024 tells of it, with its line.
    func isTriedByIPv4(_ host: HostOfDualStackAlone) -> Bool {
        guard let address = host.flow.ipv4Destination else { return false }
        return run.calls?.attempts.contains { $0.isUnreachable && $0.ipv4 == address } ?? false
    }
}
