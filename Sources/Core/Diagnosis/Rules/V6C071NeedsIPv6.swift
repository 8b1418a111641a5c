// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence

extension Rule {
    /// The client now works with IPv6 only, after IPv4 only: the other half of a port is missing.
    package static let needsIPv6 = Rule(
        id: "V6C-071", title: "works with IPv6 and not without it",
        advice:
            "Try every address that getaddrinfo returns, with AF_UNSPEC and a socket of the address's family. Where the host has IPv6 "
            + "alone, give it an IPv4 address.",
        networks: [.ipv4Only], needs: [.flows], supersedes: ["V6C-005", "V6C-007"]
    ) { examination in
        guard let control = examination.control else { return [] }
        if examination.translated?.end.isSuccess == true {
            return examination.run.seen.askedForIPv6Alone.map {
                Observation(
                    .name($0.name),
                    "\($0.name) has no IPv6 address, and it did not ask for an IPv4 one: the DNS64 of nat64 makes one.")
            }
        }
        return examination.telling.filter { !$0.remote.isIPv4 }.map { flow in
            let target: Target = control.names[flow].map { .name($0) } ?? .address(flow.remote)
            return Observation(
                "On dual-stack it went to \(flow.remote) (\(service: flow)); here there is no IPv6.", about: target)
        }
    }
}
