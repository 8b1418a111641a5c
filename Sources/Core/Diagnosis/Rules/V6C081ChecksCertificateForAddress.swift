// SPDX-License-Identifier: Apache-2.0
import Evidence

extension Rule {
    /// Certificates are issued for names. The few for an IPv4 address contain none of the IPv6 addresses that a network makes of it.
    package static let checksCertificateForAddress = Rule(
        id: "V6C-081", title: "checks a certificate for an address in place of a name",
        advice:
            "Check the certificate for the name that the user or the configuration gave, never for the address of the connection: with "
            + "NAT64 it is another one than the server's own.",
        adviceByLanguage: [
            .python: "Pass the name: context.wrap_socket(link, server_hostname=name), whatever address the link has.",
            .node: "Pass the name: tls.connect({ host: address, servername: name }).",
        ],
        supersedes: ["V6C-005"]
    ) { examination in
        let connections = examination.run.seen.connections.filter { connection in
            guard let tls = connection.tls, !tls.dependsOnName, !tls.namesServer else { return false }
            return connection.certificateWasRefused
        }
        return examination.observations(of: connections) { connection in
            "without a server name, was shown \(connection.tls?.certificate ?? "no certificate"), and \(connection.refusal)."
        }
    }
}
