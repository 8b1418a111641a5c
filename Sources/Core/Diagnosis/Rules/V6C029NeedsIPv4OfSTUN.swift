// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension Rule {
    /// ICE finds a path with the help of STUN and TURN servers (RFC 8445, RFC 8489, RFC 8656): through a NAT64, if they are reached by
    /// name.
    package static let needsIPv4OfSTUN = Rule(
        id: "V6C-029", title: "needs an IPv4 address for STUN, TURN or ICE",
        advice:
            "Configure STUN and TURN servers by name, resolve them for both families, gather IPv6 candidates, and read XOR-MAPPED-ADDRESS "
            + "in both families; a TURN relay serves peers that have IPv4 candidates only.",
        adviceByLanguage: [
            .node: "Give iceServers names (stun:stun.example.com), not addresses, and leave IPv6 candidates in.",
            .python:
                "Resolve the STUN server with socket.getaddrinfo, use the family that it gives, and read both families of addresses.",
        ],
        networks: .translated, supersedes: ["V6C-001", "V6C-003", "V6C-016", "V6C-026", "V6C-038", "V6C-039"]
    ) { examination in
        let calls = examination.unreachableLiterals.filter { call in
            call.receivedLocation.map { $0.spot == .candidate || $0.spot == .stun }
                ?? (call.address?.port.map(ports.contains) ?? false)
        }
        if !calls.isEmpty { return examination.received(calls, "Here there is no IPv4 route to it.") }
        let here = examination.payloadFacts.compactMap(\.mapped)
        let there = (examination.control?.payloadFacts ?? []).compactMap(\.mapped)
        guard let address = here.first, !here.contains(where: \.isIPv4), there.contains(where: \.isIPv4) else {
            return []
        }
        return [
            Observation("STUN told it the address \(address), which is of IPv6, and it went on to no host with that.")
        ]
    }
}

/// RFC 8489 §18.6; the last is Google's.
private let ports: Set<UInt16> = [3478, 5349, 19302]

extension PayloadFact {
    fileprivate var mapped: IPAddress? {
        if case .mappedAddress(let address) = matter { address } else { nil }
    }
}
