// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension Rule {
    /// A tunnel's endpoint is usually configured once, and as an address.
    package static let tunnelsToIPv4 = Rule(
        id: "V6C-031", title: "uses an IPv4 address as tunnel endpoint",
        advice:
            "Configure the tunnel's end by a name, and resolve it each time that the tunnel is set up: the DNS64 then gives an address "
            + "that leads there (Endpoint = vpn.example.com:51820; remote vpn.example.com).",
        networks: .ipv6Only, supersedes: ["V6C-001", "V6C-003", "V6C-016", "V6C-026", "V6C-038", "V6C-039"]
    ) { examination in
        let handshakes = Set((examination.control?.payloadFacts ?? []).filter { $0.matter == .wireGuard }.map(\.remote))
        let calls = examination.unreachableLiterals.filter { call in
            call.address?.port.map(ports.contains) == true && (call.isOfDatagrams || call.address?.port == openVPN)
                || call.ipv4.map { handshakes.contains(.ipv4($0)) } == true
        }
        return examination.received(calls, "The tunnel's end is an IPv4 address, and here there is no route to it.")
    }
}

private let openVPN: UInt16 = 1194
/// The usual ports of WireGuard, OpenVPN, IKE and IPsec through NATs (RFC 7296 §2.23), L2TP.
private let ports: Set<UInt16> = [51820, openVPN, 500, 4500, 1701]
