// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension Rule {
    /// Connecting a datagram socket sends nothing: it asks the kernel for a route, and getsockname then returns the address that packets
    /// would come from.
    package static let learnsAddressByIPv4 = Rule(
        id: "V6C-039", title: "asks by an IPv4 route for its own address, or whether it is online",
        severityIfPassing: .warning,
        advice:
            "Connect the datagram socket to the host that is to be reached, in the family that getaddrinfo gives, and go on without an "
            + "address of one's own if there is none.",
        networks: .ipv6Only, clients: .all, supersedes: ["V6C-001", "V6C-003", "V6C-004", "V6C-024", "V6C-044"]
    ) { examination in
        let evidence = examination.traced
        let told = examination.run.seen.told
        let calls = evidence.attempts.filter { call in
            guard let address = call.ipv4, call.name == .connect, call.socket?.type == SocketKind.datagram,
                call.socket?.protocol != 1, call.isUnreachable
            else { return false }
            guard !told.contains(.ipv4(address)), !IPAddress.ipv4(address).isOfTheMachine, !isUsed(call, examination)
            else { return false }
            // A client that passes may have been about to send something, but hardly to a public resolver.
            return examination.run.end.isSuccess
                ? landmarks.contains(address) && call.address?.port.map(examination.portsOfOwnAddress.contains) == false
                : evidence.isLast(call)
        }
        return examination.observations(of: calls) { call, site in
            "\(call, at: site): it sends nothing there, it asks the kernel for a route, and none of IPv4 exists here."
        }
    }
}

/// Whether the control run sent something there: then the client wants the host, not the route.
private func isUsed(_ call: TracedCall, _ examination: Examination) -> Bool {
    guard let control = examination.control else { return call.address?.port == 53 }
    return control.seen.flows.contains {
        $0.remote == call.address?.ip
            && ($0.transport == .icmp || $0.transport == .udp && $0.port == call.address?.port)
    }
}
