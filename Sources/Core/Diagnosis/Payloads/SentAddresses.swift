// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

// Addresses of its own that the client sent.

extension PayloadFact {
    /// `sip.test (udp 5060)`
    var farEnd: Statement {
        let flow = Flow(transport: transport, remote: remote, port: port, route: .direct)
        return name.map { "\($0) (\(service: flow))" } ?? "\(remote) (\(service: flow))"
    }
}

extension Examination {
    /// Where the client stood when it went to the far end of a fact: the nearest place that is known to where it sent it.
    func site(of fact: PayloadFact) -> CallSite? {
        let calls = traced.own.filter { $0.address?.ip == fact.remote && $0.address?.port == fact.port }
        let sending = calls.last { $0.name != .connect } ?? calls.last
        return sending?.site(in: traced)
    }

    /// The client's own addresses in what it sent to IPv4 hosts, to which they mean nothing.
    var sentOwnAddresses: [(fact: PayloadFact, line: String?)] {
        payloadFacts.compactMap { fact in
            guard isTranslated(fact) else { return nil }
            switch fact.matter {
            case .ownAddress(_, let line): return (fact, line)
            case .portCommand(let line): return (fact, line)
            case .refusedFamily, .sessionAddress, .serverName, .proxyRequest, .wireGuard, .mappedAddress: return nil
            }
        }
    }
}
