// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

// The client's own addresses in what it sent.

extension PayloadFact {
    /// `sip.test (udp 5060)`
    var farEnd: Statement {
        let flow = Flow(transport: transport, remote: remote, port: port, route: .direct)
        return name.map { "\($0) (\(service: flow))" } ?? "\(remote) (\(service: flow))"
    }
}

extension Examination {
    /// The client's place when it went to a fact's far end: the last call there that is no connect, else the last call.
    func site(of fact: PayloadFact) -> CallSite? {
        let calls = traced.own.filter { $0.address?.ip == fact.remote && $0.address?.port == fact.port }
        let sending = calls.last { $0.name != .connect } ?? calls.last
        return sending?.site(in: traced)
    }

    /// The client's own addresses in payloads for IPv4 hosts, where they mean nothing.
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
