import Crypto
import NIOCore
import NIOSSL
import SwiftASN1
import X509

extension NIOSSLContext {
    /// TLS 1.2 and 1.3 of a server with this certificate.
    /// - Parameter applicationProtocols: what it speaks, the best first (ALPN, RFC 7301 §3.2).
    static func server(
        showing certificate: Certificate, key: P256.Signing.PrivateKey, applicationProtocols: [String]
    ) throws -> NIOSSLContext {
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        let encoded = try NIOSSLCertificate(bytes: serializer.serializedBytes, format: .der)
        let privateKey = try NIOSSLPrivateKey(bytes: Array(key.derRepresentation), format: .der)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(encoded)], privateKey: .privateKey(privateKey))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = applicationProtocols
        // Many clients never answer a close_notify (RFC 8446 §6.1), and a stop waits for those that might.
        configuration.shutdownTimeout = .seconds(1)
        return try NIOSSLContext(configuration: configuration)
    }
}
