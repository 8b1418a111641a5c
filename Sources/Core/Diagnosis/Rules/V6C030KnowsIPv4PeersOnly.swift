// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension Rule {
    /// BitTorrent's compact lists (BEP 23) have four octets and a port for each peer; peers of IPv6 are in a list of their own (BEP 7).
    package static let knowsIPv4PeersOnly = Rule(
        id: "V6C-030", title: "uses a list of peers with IPv4 addresses only",
        advice:
            "Ask for and read the list of IPv6 peers as well (peers6, BEP 7; nodes6, BEP 32), and synthesise addresses for IPv4 peers with "
            + "the network's Pref64 (RFC 7050, RFC 8781).",
        networks: .ipv6Only, supersedes: ["V6C-001", "V6C-003", "V6C-016", "V6C-026"]
    ) { examination in
        let calls = examination.unreachableLiterals.filter { call in
            call.receivedLocation?.listsPeers(at: call.address?.port) == true
        }
        return examination.received(calls, "The list has IPv4 addresses, and here there is no route to them.")
    }
}
