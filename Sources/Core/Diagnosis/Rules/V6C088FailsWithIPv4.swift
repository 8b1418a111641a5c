// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Evidence

extension Rule {
    /// The other half of a port is missing, seen from the IPv6-only side: most users have IPv4 beside IPv6.
    package static let failsWithIPv4 = Rule(
        id: "V6C-088", title: "works here and fails on dual-stack", severity: .warning,
        advice:
            "Look up both families (getaddrinfo with AF_UNSPEC), and try every address that it returns: on dual-stack there is no DNS64, and a "
            + "host with an IPv4 address has no other.",
        networks: Set<Network>.ipv6Only.union([.nat64CLAT]), clients: .passing, needs: [.queries]
    ) { examination in
        guard let control = examination.control, control.end.isFailure else { return [] }
        let missed = control.seen.askedForIPv6Alone
        let end: Statement = "On dual-stack it ended with \(ending(control.end))"
        guard !missed.isEmpty else { return [Observation("\(end).")] }
        return missed.map {
            Observation(
                .name($0.name), "\(end): there \($0.name) has no IPv6 address, and it did not ask for an IPv4 one.")
        }
    }
}

private func ending(_ end: ExitOutcome) -> Statement {
    switch end {
    case .exited(let status): "exit \(Int(status))"
    case .killed(let signal): "signal \(Int(signal))"
    case .timedOut: "its time limit"
    }
}
