// SPDX-License-Identifier: Apache-2.0
import Evidence
import Translation
import Wire

extension Rule {
    /// IPv6 routers do not fragment, and the header of a translated packet is 20 octets longer: a packet that fits a path on IPv4 may not
    /// fit it here. If no Packet Too Big comes back, only the sender can find that out.
    package static let losesLargePackets = Rule(
        id: "V6C-054", title: "sends packets that are too large for the path",
        advice:
            "Keep datagrams at 1,232 octets (1,280 less the headers of IPv6 and UDP), or look for the size that passes (RFC 8899). For TCP "
            + "let the kernel look (net.ipv4.tcp_mtu_probing=1), or set TCP_MAXSEG.",
        networks: .translated, isCompared: true, supersedes: ["V6C-003", "V6C-045", "V6C-094", "V6C-100"]
    ) { examination in
        let lost = examination.run.seen.drops.filter { $0.reason == .faultBlackHole }.map { drop in
            let flow = examination.run.seen.flows.first { drop.example.contains($0.remote.description) }
            let (called, site) = flow.flatMap(examination.attempt).map { examination.told($0) } ?? ("", nil)
            return Observation(
                .drop(drop.reason),
                "\(drop); no Packet Too Big says so\(site == nil ? "" : ": " as Statement)\(called).",
                at: site)
        }
        let tooLong = examination.tracedControl.own.contains { $0.error == .messageTooLong }
        let refused = examination.traced.own.filter { $0.error == .messageTooLong && $0.isAttempt }
        let hasDatagrams = examination.control?.seen.flows.contains {
            $0.transport == .udp && $0.port != 53 && $0.bytesSent > 0 && !$0.isInbound
        }
        if lost.isEmpty, refused.isEmpty, !tooLong, hasDatagrams == true,
            let words = examination.complaint(of: ["message too long", "emsgsize"])
        {
            // No call with an address failed: the socket is connected, and write(2) has no address.
            return [
                Observation(
                    "It reported \"\(text: words)\": with the headers of IPv6 the datagram is larger than the link's MTU, and the socket "
                        + "forbids fragments.")
            ]
        }
        return lost
            + examination.observations(of: tooLong ? [] : refused) { call, site in
                "\(call, at: site): with the headers of IPv6 the datagram is larger than the link's MTU, and the socket forbids fragments."
            }
    }
}
