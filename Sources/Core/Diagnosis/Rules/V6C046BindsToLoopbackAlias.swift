// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension Rule {
    /// IPv4 has 16 million loopback addresses, IPv6 has one.
    package static let bindsToLoopbackAlias = Rule(
        id: "V6C-046", title: "binds to a loopback address that has no counterpart in IPv6", severity: .note,
        advice:
            "Tell servers of one machine apart by their ports, or by Unix sockets. If you need several addresses, add unique local "
            + "ones (fd00::/8) to the loopback interface.",
        networks: [.nat64], clients: .passing
    ) { examination in
        guard let calls = examination.run.calls else { return [] }
        return calls.own.filter { $0.name == .bind && $0.ipv4.map(isAlias) == true }.map { call in
            let (statement, site) = examination.told(call)
            return Observation("\(statement): of IPv6 there is ::1 alone.", at: site)
        }.unique
    }
}

/// 127/8 without 127.0.0.1.
private func isAlias(_ address: IPv4Address) -> Bool { address.bits >> 24 == 127 && address.bits != 0x7f00_0001 }
