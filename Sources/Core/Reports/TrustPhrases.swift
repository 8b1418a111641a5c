// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Evidence
import Text

extension RunReport {
    /// Advice if the program does not trust the test CA. That is not related to the network, and the report's other lines do not mention
    /// it.
    var noteOnTrust: String? {
        guard let refused = run.seen.connections.first(where: \.refusedTheAuthority) else { return nil }
        let name = refused.tls?.serverName.map { printable($0) } ?? "\(refused.address)"
        return
            "It refused the certificate of \(name), which the test CA of this run has issued: it has certificates of its own and does not read "
            + "the system's. Give it those of SSL_CERT_FILE or /etc/ssl/certs/ca-certificates.crt, or use http"
    }
}

extension ServedConnection {
    /// Whether the client ended the handshake because of the certificate's issuer, not because of the name or a defect made on purpose.
    fileprivate var refusedTheAuthority: Bool {
        guard let tls, !tls.isBad, case .refusedByClient(let alert) = tls.end else { return false }
        let fits = tls.serverName.flatMap { try? DomainName($0) }.map(tls.certificateNames.contains) ?? false
        return alert == Self.unknownAuthority || fits && Self.ofAnyDoubt.contains(alert)
    }

    /// unknown_ca (RFC 8446 §6.2)
    private static let unknownAuthority: UInt8 = 48
    /// bad_certificate and certificate_unknown: Go and Java send them for an unknown issuer, and for a name that does not match.
    private static let ofAnyDoubt: Set<UInt8> = [42, 46]
}
