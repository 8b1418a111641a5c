// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension Rule {
    /// SIP and SDP carry addresses in their text. A NAT64 translates headers, not text.
    package static let namesIPv4InSession = Rule(
        id: "V6C-028",
        title: "names an address in a SIP message or a session description, where the NAT64 cannot translate it",
        advice:
            "Use ICE (RFC 8445) with candidates of both families, or the server's relay; let the server answer to where the message came "
            + "from (rport, RFC 3581; outbound, RFC 5626), and send no IN IP4 from a host without IPv4.",
        networks: .translated, supersedes: ["V6C-001", "V6C-003", "V6C-016", "V6C-005", "V6C-013", "V6C-026"]
    ) { examination in
        let calls = examination.unreachableLiterals.filter { $0.receivedLocation?.spot == .sessionDescription }
        if !calls.isEmpty {
            return examination.received(
                calls, "The session description names IPv4 only, and here there is no route to it.")
        }
        return examination.payloadFacts.compactMap { fact in
            guard let (line, isIPv4) = fact.sessionLine, isIPv4 || examination.isTranslated(fact) else { return nil }
            return Observation(
                isIPv4
                    ? "It told \(fact.farEnd) \"\(text: line)\": it has no IPv4 address here."
                    : "It told \(fact.farEnd), an IPv4 host behind the NAT64, \"\(text: line)\": that address means nothing there.",
                at: examination.site(of: fact))
        }
    }
}

extension PayloadFact {
    fileprivate var sessionLine: (line: String, isIPv4: Bool)? {
        if case .sessionAddress(let line, let isIPv4) = matter { (line, isIPv4) } else { nil }
    }
}
