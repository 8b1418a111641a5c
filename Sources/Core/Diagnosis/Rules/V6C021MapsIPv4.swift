// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import Wire

extension Rule {
    /// An IPv4-mapped address is IPv4 on the wire. Java maps all IPv4 addresses by itself, so there it proves nothing about the client.
    package static let mapsIPv4 = Rule(
        id: "V6C-021", title: "connects to an IPv4-mapped address",
        advice:
            "Use the name's AAAA records; ::ffff:0:0/96 is IPv4 on the wire (leave AI_V4MAPPED out, ask for AF_UNSPEC).",
        adviceByLanguage: [
            .python: "Ask socket.getaddrinfo without AI_V4MAPPED, and do not write \"::ffff:\" before an address.",
            .node: "Leave hints: dns.V4MAPPED out, and family at 0.",
        ],
        networks: .ipv6Only, supersedes: ["V6C-003", "V6C-016"]
    ) { examination in
        let told = examination.told
        let tried = Set(examination.calls.attempts.compactMap(\.address?.ip))
        let questions = examination.run.seen.questions
        return examination.calls.attempts.compactMap { call in
            // A literal is a mistake of its own (V6C-001).
            guard call.isUnreachable, !examination.isWritten(call), case .ipv6(let address) = call.address?.ip,
                let mapped = address.mapped,
                told.contains(.ipv4(mapped)) || told.contains(.ipv6(address))
            else { return nil }
            // A client that tried an IPv6 address of the same name fails for another reason.
            let names = questions.filter { $0.addresses.contains(.ipv4(mapped)) }.map(\.name)
            let others = questions.filter { names.contains($0.name) }.flatMap(\.addresses).filter { !$0.isIPv4 }
            if others.contains(where: tried.contains) { return nil }
            let (statement, site) = examination.told(call)
            if Language(of: site, in: examination) == .java { return nil }
            return Observation(
                "\(statement): on the wire this is IPv4, to \(mapped).", at: site, about: .address(.ipv4(mapped)))
        }
    }
}
