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
        if let refused = here.refused(isIPv6: true), let served = (here + there).served(isIPv6: false) {
            return [
                Observation(
                    "It gives an IPv4 client \(text: served.text), and an IPv6 client \(text: refused.text).\(words)")
            ]
        }
        guard let refused = here.refused(isIPv6: false), let served = here.served(isIPv6: true) else { return [] }
        return [
            Observation(
                "It gives an IPv6 client \(text: served.text), and an IPv4 client \(text: refused.text).\(words)")
        ]
    }
}

extension [PeerAnswer] {
    /// An answer to a client of a family that is not the expected one.
    package func refused(isIPv6: Bool) -> PeerAnswer? { first { $0.isIPv6 == isIPv6 && !$0.isAsExpected } }

    /// The expected answer, to a client of a family.
    package func served(isIPv6: Bool) -> PeerAnswer? { first { $0.isIPv6 == isIPv6 && $0.isAsExpected } }
}
