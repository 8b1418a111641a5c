// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension Rule {
    /// The answer to PASV has an IPv4 address, which a client behind a NAT64 cannot use; that to EPSV has only a port.
    package static let usesAddressOfPASV = Rule(
        id: "V6C-042", title: "goes to the IPv4 address in an FTP server's answer to PASV",
        advice:
            "Use EPSV (RFC 2428), whose answer is a port on the same host; or ignore the address in PASV's answer and take the control "
            + "connection's.",
        networks: .ipv6Only, supersedes: ["V6C-001", "V6C-003", "V6C-026"]
    ) { examination in
        let control = examination.run.seen.flows.filter { $0.transport == .tcp && $0.port == ftp && $0.isAnswered }
        let calls = examination.traced.attempts.filter { call in
            guard let address = call.ipv4, call.isUnreachable, call.socket?.type == SocketKind.stream else {
                return false
            }
            if let place = call.receivedLocation, place.port == ftp || place.spot == .commas { return true }
            return control.contains { $0.ipv4Destination == address }
        }
        return examination.observations(of: calls) { call, site in
            "\(call, at: site)\(examination.source(of: call)): the FTP server told it, and here there is no IPv4 route to it."
        }
    }
}

/// The port of the control connection.
private let ftp: UInt16 = 21
