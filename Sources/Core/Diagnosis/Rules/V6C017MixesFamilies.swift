// SPDX-License-Identifier: Apache-2.0
import DNS64
import Evidence
import Wire

/// For a socket of ICMP.
let adviceForEcho =
    "Make a socket of ICMPv6 for an IPv6 address: AF_INET6 with IPPROTO_ICMPV6, and echo requests of type 128 (RFC 4443 §4.1)."

extension Rule {
    /// A socket keeps its family for its whole life.
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
        fittingAdvice: { examination, _ in
            let isEcho = examination.calls.attempts.contains {
                $0.error == .familyNotSupported && $0.socket?.protocol == 1
            }
            return isEcho ? adviceForEcho : nil
        },
        networks: .ipv6Only, supersedes: ["V6C-003", "V6C-044"]
    ) { examination in
        let refused: [Observation] = examination.calls.attempts.compactMap { call in
            guard call.error == .familyNotSupported, case .ipv6(let address) = call.address?.ip,
                call.socket?.family != SocketKind.ipv6
            else { return nil }
            let (statement, site) = examination.told(call)
            return Observation(
                "\(statement): the socket is for IPv4, the address is not.", at: site, about: .address(.ipv6(address)))
        }
        return refused.isEmpty ? examination.unusedIPv4Sockets : refused
    }
}

extension TracedCall {
    /// Whether this call is made on the socket that another made.
    fileprivate func isMade(on socket: TracedCall) -> Bool {
        program == socket.program && time >= socket.time && socket.outcome == .succeeded(Int(descriptor))
    }
}

extension Examination {
    /// Python refuses the address before any call. The remaining evidence is an IPv4 socket that the client made, mostly after its lookup, and did
    /// not use here, while it used such a socket for the host on dual-stack.
    fileprivate var unusedIPv4Sockets: [Observation] {
        guard let name = control?.seen.questions.first(where: { !$0.addresses.isEmpty })?.name,
            let address = run.seen.questions.first(where: { $0.name == name && !$0.first.synthesisedFrom.isEmpty })?
                .addresses.last,
            !calls.attempts.contains(where: \.isToHost)
        else { return [] }
        let there = tracedControl
        // With one made for the address, an earlier one may be a mere test of the machine.
        let makesIPv6Sockets = calls.own.contains { $0.name == .socket && $0.socket?.family == SocketKind.ipv6 }
        let used = Set(there.attempts.filter { $0.socket?.family == SocketKind.ipv4 }.compactMap(\.socket?.type))
        let sockets = calls.own.filter { call in
            call.name == .socket && call.error == nil && call.socket?.family == SocketKind.ipv4
                && call.socket.map { used.contains($0.type) } == true
                && (call.time > traced.firstQuestion || !makesIPv6Sockets)
                // Go opens sockets of its own to find out which families exist.
                && call.frames.contains { $0.module == nil && $0.line != nil }
                // One that was connected somewhere, as to a misread address, was used.
                && !calls.attempts.contains { $0.isMade(on: call) }
        }
        return observations(of: sockets) { call, site in
            "\(call, at: site), and it made no attempt from there: \(name) has \(address), and the socket is for IPv4."
        }
    }
}
