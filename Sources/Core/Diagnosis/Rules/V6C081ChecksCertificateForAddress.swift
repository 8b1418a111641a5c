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
            .node:
                "Pass the name: tls.connect({ host: address, servername: name }), and servername in the options of https.request.",
            .go:
                "Give the name: &tls.Config{ServerName: name}. With net/http leave the name in the URL, and dial the address in DialContext.",
            .ruby:
                "Give the name: ssl.hostname = name and ssl.post_connection_check(name). With Net::HTTP leave the name in it, and set ipaddr=.",
            .php:
                "Give the name: the option peer_name of the context's ssl. With curl leave the name in the URL, and use CURLOPT_CONNECT_TO.",
            .perl: "Give the name: SSL_hostname and SSL_verifycn_name of IO::Socket::SSL.",
            .java:
                "Give the name: SSLSocketFactory.createSocket(socket, name, port, true), and the name in the URL of an HttpClient.",
            .c:
                "Give the name: SSL_set_tlsext_host_name and SSL_set1_host of OpenSSL; with libcurl leave it in the URL, and use CURLOPT_CONNECT_TO.",
            .rust: "Give the name: ServerName::try_from(name), or the domain of TlsConnector::connect.",
            .shell: "Leave the name in the URL: curl --connect-to name:443:address:443 https://name/.",
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
