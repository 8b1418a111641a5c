// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension Rule {
    /// EPSV with the number of a family requests that family (RFC 2428 §3). The control connection is IPv6 here, and the server behind the
    /// NAT64 is IPv4 only.
    package static let asksForIPv6Transfer = Rule(
        id: "V6C-098", title: "asks an FTP server behind the NAT64 for an IPv6 data connection, and the server refuses",
        advice:
            "Send EPSV without a number: the answer is a port on the same host, whatever the family (RFC 2428 §3). Where a server refuses "
            + "that too, send PASV, and take the port from its answer and the address from the control connection.",
        networks: .translated, supersedes: ["V6C-013"]
    ) { examination in
        examination.payloadFacts.compactMap { fact in
            guard case .refusedFamily(let command, let reply) = fact.matter, examination.isTranslated(fact) else {
                return nil
            }
            return Observation(
                "It sends \"\(text: command)\" to \(fact.farEnd), an IPv4 host, which answers \"\(text: reply)\".",
                at: examination.site(of: fact), about: fact.name.map(Target.name))
        }
    }
}
