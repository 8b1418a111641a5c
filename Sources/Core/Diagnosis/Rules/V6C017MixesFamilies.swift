// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension Rule {
    /// A socket has one family for its life.
    package static let mixesFamilies = Rule(
        id: "V6C-017", title: "uses an IPv6 address on an IPv4 socket",
        advice: "Make the socket after the address is known, with its ai_family; make a new one for the next address.",
        adviceByLanguage: [
            .python: "Take family and address together from socket.getaddrinfo, or use socket.create_connection.",
            .node: "Make the socket of the address's family: dgram.createSocket(\"udp6\") for IPv6.",
            .ruby:
                "Use Addrinfo.foreach, or Socket.tcp and Socket.udp_server_sockets, which make the socket for the address.",
            .perl: "Use IO::Socket::IP, which makes the socket for each address.",
        ],
        networks: .ipv6Only, supersedes: ["V6C-003"]
    ) { examination in
        examination.calls.attempts.compactMap { call in
            guard call.error == .familyNotSupported, case .ipv6(let address) = call.address?.ip,
                call.socket?.family != SocketKind.ipv6
            else { return nil }
            let (statement, site) = examination.told(call)
            return Observation(
                "\(statement): the socket is for IPv4, the address is not.", at: site, about: .address(.ipv6(address)))
        }
    }
}
