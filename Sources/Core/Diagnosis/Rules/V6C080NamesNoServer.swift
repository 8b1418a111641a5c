// SPDX-License-Identifier: Apache-2.0
import Evidence

extension Rule {
    /// A client that puts an address in the place of the name sends no server name in TLS, and a server with several hosts gives it another
    /// host's certificate, or none.
    package static let namesNoServer = Rule(
        id: "V6C-080", title: "names no server in TLS, where the server needs the name (SNI)",
        advice:
            "Connect by the name; or where the address is given, give the name to TLS all the same, and check the certificate for it: "
            + "the address is where the connection goes, and the name is whom it is for.",
        adviceByLanguage: [
            .python: "Pass the name: context.wrap_socket(link, server_hostname=name), whatever address the link has.",
            .node: "Pass the name: tls.connect({ host: address, servername: name }).",
        ],
        supersedes: ["V6C-005"]
    ) { examination in
        let connections = examination.run.seen.connections.filter { connection in
            guard let tls = connection.tls, tls.dependsOnName, !tls.namesServer else { return false }
            if case .refusedByServer = tls.end { return true }
            return connection.certificateWasRefused
        }
        return examination.observations(of: connections) { connection in
            if case .refusedByServer(let alert)? = connection.tls?.end {
                return "without a server name, and the server ended the connection (\(text: tlsAlertName(alert)))."
            }
            return
                "without a server name, was shown \(connection.tls?.certificate ?? "no certificate"), and \(connection.refusal)."
        }
    }
}
