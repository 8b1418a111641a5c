// SPDX-License-Identifier: Apache-2.0
package import Evidence

extension Rule {
    /// The server listens on both families, and its own code turns the peers of one away.
    package static let refusesPeersOfOneFamily = Rule(
        id: "V6C-102", title: "serves clients of one family, and turns those of the other away",
        advice:
            "Look at what it does with its client's address: a list of allowed networks, a limit for each address, a log. An IPv6 client has an "
            + "address of 128 bits; an IPv4 client may have one of ::ffff:0:0/96 there, and one of the NAT64's prefix. The request's Host "
            + "has brackets: [2001:db8::1]:8080.",
        fittingAdvice: { examination, _ in
            let answers = examination.run.peerAnswers
            if answers.contains(where: { $0.kind == .ledAway && !$0.isAsExpected }) {
                return
                    "Redirect to a path, as Location: /home, or to the host of the request's Host header as it stands."
            }
            return examination.servesTranslatedAlone
                ? "An IPv4 client that comes through the NAT64 has an IPv6 address there, too, and is served. So look at the Host header: an IPv6 "
                    + "client sends [2001:db8::1]:8080, and the port begins after the bracket."
                : nil
        },
        supersedes: ["V6C-003", "V6C-004", "V6C-039", "V6C-044"]
    ) { examination in
        // A request of its own by IPv4 fails for each of its clients, and they get a fault or nothing.
        let lacksIPv4 = examination.traced.attempts.contains {
            $0.ipv4 != nil && $0.isUnreachable && $0.leavesTheMachine
        }
        let (here, there) = (examination.run.peerAnswers, examination.control?.peerAnswers ?? [])
        // Later clients were served: the words may be about one of them.
        let words =
            examination.ownError == nil && !examination.servesTranslatedAlone ? examination.toldWords : ""
        func refusal(isIPv6: Bool, servedAmong answers: [PeerAnswer]) -> Observation? {
            guard let refused = here.refused(isIPv6: isIPv6), let served = answers.served(isIPv6: !isIPv6),
                !lacksIPv4 || [.denied, .ledAway].contains(refused.kind)
            else { return nil }
            if refused.text == served.text, refused.kind == .ledAway {
                return Observation(
                    "It gives all of its clients \(text: refused.text): an IPv6 client has no way to an IPv4 address.")
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

extension Examination {
    /// Whether a client through the NAT64 is served, and one of IPv6 is not.
    fileprivate var servesTranslatedAlone: Bool {
        let answers = run.peerAnswers.filter(\.isIPv6)
        return answers.contains { $0.isTranslated && $0.isAsExpected }
            && answers.contains { !$0.isTranslated && !$0.isAsExpected }
    }
}

extension [PeerAnswer] {
    /// An answer to a client of a family that is not the expected one.
    package func refused(isIPv6: Bool) -> PeerAnswer? { first { $0.isIPv6 == isIPv6 && !$0.isAsExpected } }

    /// The expected answer, to a client of a family.
    package func served(isIPv6: Bool) -> PeerAnswer? { first { $0.isIPv6 == isIPv6 && $0.isAsExpected } }
}
