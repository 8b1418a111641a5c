// SPDX-License-Identifier: Apache-2.0
package import Evidence

extension Rule {
    /// The server listens on both families, and its own code turns the peers of one away.
    package static let refusesPeersOfOneFamily = Rule(
        id: "V6C-102", title: "serves clients of one family, and turns those of the other away",
        advice:
            "Look at what it does with its client's address: a list of allowed networks, a limit for each address, a log. An IPv6 client has an "
            + "address of 128 bits; an IPv4 client may have one of ::ffff:0:0/96 there, and one of the NAT64's prefix.",
        supersedes: ["V6C-003", "V6C-004", "V6C-039", "V6C-044"]
    ) { examination in
        let (here, there) = (examination.run.peerAnswers, examination.control?.peerAnswers ?? [])
        let words = examination.ownError == nil ? examination.toldWords : ""
        func refusal(isIPv6: Bool, servedAmong answers: [PeerAnswer]) -> Observation? {
            guard let refused = here.refused(isIPv6: isIPv6), let served = answers.served(isIPv6: !isIPv6) else {
                return nil
            }
            let (one, other): (Statement, Statement) = isIPv6 ? ("IPv4", "IPv6") : ("IPv6", "IPv4")
            return Observation(
                "It gives an \(one) client \(text: served.text), and an \(other) client \(text: refused.text).\(words)")
        }
        // In the control run all clients use IPv4.
        let found = refusal(isIPv6: true, servedAmong: here + there) ?? refusal(isIPv6: false, servedAmong: here)
        return [found].compactMap(\.self)
    }
}

extension [PeerAnswer] {
    /// An answer to a client of a family that is not the expected one.
    package func refused(isIPv6: Bool) -> PeerAnswer? { first { $0.isIPv6 == isIPv6 && !$0.isAsExpected } }

    /// The expected answer, to a client of a family.
    package func served(isIPv6: Bool) -> PeerAnswer? { first { $0.isIPv6 == isIPv6 && $0.isAsExpected } }
}
