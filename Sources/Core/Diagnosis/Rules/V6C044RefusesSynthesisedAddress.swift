import DNS64
import DNSWire
import Evidence
import Wire

extension Rule {
    /// A program that takes IPv4 addresses alone out of an answer tries these (V6C-003). Who tries nothing at all has looked at the
    /// addresses: a guard against server-side request forgery, which takes 64:ff9b::/96 for a reserved range, or code that makes
    /// a text of them and cannot read it.
    package static let refusesSynthesisedAddress = Rule(
        id: "V6C-044", title: "gets a synthesised address and refuses to try it",
        advice:
            "Where addresses are checked before they are used (against server-side request forgery), take the embedded IPv4 address out "
            + "of those below the network's prefixes (RFC 6052 §2.2) and check that. Where address and port become one text, write "
            + "[address]:port.",
        adviceByLanguage: [
            .go:
                "Join host and port by net.JoinHostPort, not by Sprintf(\"%s:%d\"), which gives \"too many colons in address\". Where "
                + "addresses are checked before they are used, check the IPv4 address that is embedded (RFC 6052 §2.2).",
            .python:
                "Where addresses are checked before they are used, check the IPv4 address that is embedded (RFC 6052 §2.2): "
                + "ipaddress calls those of 64:ff9b::/96 and of a network's own prefix reserved, private or not global. In a URL "
                + "write [address]:port.",
        ],
        networks: [.nat64], needs: [.queries, .flows], supersedes: ["V6C-003"]
    ) { examination in
        guard let control = examination.control, control.end.isSuccess, examination.isTraced,
            examination.run.seen.flows.isEmpty, !examination.traced.attempts.contains(where: isToHost)
        else { return [] }
        let used = Set(control.seen.flows.compactMap { control.names[$0] })
        return examination.run.seen.questions.compactMap { query in
            guard query.question.type == .aaaa, used.contains(query.name), !query.first.synthesisedFrom.isEmpty,
                let address = query.addresses.last
            else { return nil }
            return Observation(
                "\(query.name) has \(address), which is synthesised, and it made no attempt at any address; on dual-stack it connected.",
                about: .name(query.name))
        }
    }
}

/// Name servers aside.
private func isToHost(_ call: TracedCall) -> Bool {
    call.address?.port != 53 && call.address?.ip.map { !$0.isOfTheMachine } == true
}
