// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOSSL

extension NIOSSLContext {
    /// TLS 1.2 and 1.3 for a server with this certificate.
    /// - Parameter certificate: in DER.
    /// - Parameter applicationProtocols: the protocols that it speaks, the preferred one first (ALPN, RFC 7301 §3.2).
    static func server(
        showing certificate: [UInt8], key: PrivateKey, applicationProtocols: [String]
    ) throws -> NIOSSLContext {
        let encoded = try NIOSSLCertificate(bytes: certificate, format: .der)
        let privateKey = try NIOSSLPrivateKey(bytes: key.octets(), format: .der)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(encoded)], privateKey: .privateKey(privateKey))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = applicationProtocols
        // Many clients never answer a close_notify (RFC 8446 §6.1), and stopping the server waits for the answers.
        configuration.shutdownTimeout = .seconds(1)
        return try NIOSSLContext(configuration: configuration)
    }
}
