// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension Rule {
    /// The host that sent the address has a name in the DNS; the address itself is data, which no DNS64 translates.
    package static let receivedAddress = Rule(
        id: "V6C-026", title: "connects to an IPv4 address that another host sent",
        advice:
            "Let the host send a name, or an IPv6 address beside it. Until it does, synthesise an IPv6 address with the network's Pref64 "
            + "(RFC 7050, RFC 8781): give the text to getaddrinfo on Apple's systems, and do it yourself elsewhere.",
        adviceByLanguage: [
            .python:
                "Let the host send a name. Until it does, put the address behind the network's prefix: the AAAA record of ipv4only.arpa has that "
                + "prefix (RFC 7050), and ipaddress.IPv6Address takes the 16 octets.",
            .node:
                "Let the host send a name. Until it does, put the address behind the network's prefix, which resolve6(\"ipv4only.arpa\") tells "
                + "(RFC 7050).",
        ],
        networks: .ipv6Only, supersedes: ["V6C-001", "V6C-003", "V6C-016"]
    ) { examination in
        let calls = examination.unreachableLiterals.filter { $0.receivedLocation != nil }
        return examination.received(calls, "Here there is no IPv4 route to it.")
    }
}
