// SPDX-License-Identifier: Apache-2.0
import Evidence
import Text
import Wire

extension Rule {
    /// Without IPv4, a host that answers pings on the IPv4 Internet is unreachable, though everything else may be reachable.
    package static let probesIPv4Host = Rule(
        id: "V6C-038", title: "takes an unreachable IPv4 host for being offline",
        severityIfPassing: .warning,
        advice:
            "Do without the test, or test the host that is needed, by its name and over the protocol that is needed (curl --head, "
            + "getent ahosts).",
        networks: .ipv6Only, clients: .all,
        supersedes: ["V6C-001", "V6C-003", "V6C-004", "V6C-005", "V6C-024", "V6C-039", "V6C-044"]
    ) { examination in
        let evidence = examination.traced
        let pings: [Observation] = evidence.programs.indices.compactMap { place in
            let program = evidence.programs[place]
            guard program.parent != nil, probes.contains(baseName(program.executable)),
                let target = program.arguments.dropFirst().lazy.compactMap({ IPv4Address($0) }).first,
                !IPAddress.ipv4(target).isOfTheMachine
            else { return nil }
            // A client that passes may have asked for its version.
            let hasTried = evidence.attempts.contains { $0.program == place && $0.ipv4 == target && $0.isUnreachable }
            guard hasTried || !examination.run.end.isSuccess else { return nil }
            let words = program.arguments.joined(separator: " ")
            return Observation(
                "It ran \"\(text: words)\"\(evidence.start(of: program)): \(target) cannot be reached without IPv4, and this network works all "
                    + "the same.",
                at: evidence.site(of: program), about: .address(.ipv4(target)))
        }
        if !pings.isEmpty || examination.run.end.isSuccess { return pings.unique }
        let calls = evidence.attempts.filter { call in
            guard let address = call.ipv4, call.isUnreachable, evidence.isLast(call) else { return false }
            return isEcho(call) && examination.goesElsewhere(than: address)
                || (landmarks.contains(address) && isOnlineProbe(call, in: examination))
        }
        return examination.observations(of: calls) { call, site in
            "\(call, at: site), then it gave up: this network has no IPv4, and works all the same."
        }
    }
}

private let probes: Set = ["ping", "ping4", "fping", "traceroute", "arping", "hping3", "nmap", "nc"]

/// IPPROTO_ICMP
private func isEcho(_ call: TracedCall) -> Bool {
    call.socket.map { $0.family == SocketKind.ipv4 && $0.protocol == 1 } ?? false
}

extension Examination {
    /// Whether the client contacts other hosts if a ping of the address is answered. A ping alone tests nothing else.
    fileprivate func goesElsewhere(than address: IPv4Address) -> Bool {
        control?.seen.flows.contains { $0.transport != .icmp || $0.ipv4Destination != address } == true
    }
}

/// Whether a connection only tests whether connections work: on dual-stack the client sent nothing over it. If no host accepted it there,
/// the port decides; a DNS question begins with a datagram, and port 853 is for questions alone.
func isOnlineProbe(_ call: TracedCall, in examination: Examination) -> Bool {
    guard call.socket?.type == SocketKind.stream, let address = call.ipv4, landmarks.contains(address) else {
        return false
    }
    let flow = examination.control?.seen.flows.first {
        $0.transport == .tcp && $0.remote == .ipv4(address) && $0.port == call.address?.port
    }
    if let flow, flow.accepted > 0 { return flow.bytesSent == 0 }
    if call.address?.port == 853 { return false }
    return !examination.traced.attempts.contains { other in
        other.isOfDatagrams && other.address?.port == 53 && other.ipv4.map(landmarks.contains) == true
    }
}

/// Well-known addresses.
let landmarks: Set<IPv4Address> = Set(
    ["8.8.8.8", "8.8.4.4", "1.1.1.1", "1.0.0.1", "9.9.9.9", "208.67.222.222", "208.67.220.220", "114.114.114.114"]
        .compactMap { IPv4Address($0) })
