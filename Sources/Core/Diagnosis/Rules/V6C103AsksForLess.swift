// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Evidence
import Wire

extension Rule {
    /// A host is reached, and a part of what the client wants there is not asked for: its code took an IPv6 address apart, refused it, or
    /// caught the error. No network shows what was not tried; only the comparison with dual-stack does.
    package static let asksForLess = Rule(
        id: "V6C-103", title: "passes, and asks a host for less than on dual-stack", severity: .warning,
        advice:
            "Look at what it does with addresses of that host, of its clients or of the machine: a check for four numbers and dots, a split at a "
            + "colon, a conversion for IPv4 alone, an error that is caught. If it asks for other things in each run, this is no finding.",
        networks: .ipv6Only, clients: .passing, needs: [.queries, .flows], isLastResort: true
    ) { examination in
        guard let control = examination.control, control.end.isSuccess, !examination.choosesHosts else { return [] }
        let error = examination.handledError()
        let said: Statement = error.map { " \($0.statement)" } ?? ""
        let here = examination.runsHere.map { $0.requestsByHost() }
        let there = control.requestsByHost()
        return there.sorted { "\($0.key.name)" < "\($1.key.name)" }.compactMap { host, requests in
            let own = here.map { $0[host] ?? Requests() }
            guard own.allSatisfy({ $0.connections > 0 }),
                Requests.lack(own, of: requests) || isLoss(own, of: requests) && !isShift(from: host, here, there)
            else { return nil }
            return Observation(
                "\(host.name) (tcp \(Int(host.port))): \(requests.statement) on dual-stack, \(own[0].statement) here.\(said)",
                at: error?.site, about: .name(host.name))
        }
    }
}

/// Whether the runs here ask for less than that on dual-stack, and differ from each other by clearly less than from it.
private func isLoss(_ here: [Requests], of there: Requests) -> Bool {
    guard here.allSatisfy({ $0.isClearlyLess(than: there) }), let least = here.map(\.octets).min(),
        let most = here.map(\.octets).max(), there.octets > most
    else { return false }
    return (there.octets - most) / 2 >= most - least
}

/// Whether a run here made up for what it did not ask a host for at others: the client spreads its requests by chance.
private func isShift(from host: NamedHost, _ here: [[NamedHost: Requests]], _ there: [NamedHost: Requests]) -> Bool {
    here.contains { run in
        func change(_ host: NamedHost) -> Double {
            Double(run[host]?.octets ?? 0) - Double(there[host]?.octets ?? 0)
        }
        return run.keys.reduce(0) { $0 + max(0, change($1)) } >= -change(host) / 2
    }
}
