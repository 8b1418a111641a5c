// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import DNSWire
import NIOSSL
import Wire

/// The certificates of a service, one for each of its hosts. The name in a client's ClientHello (SNI, RFC 6066 §3) selects
/// the one that is shown.
struct ServerCertificates: Sendable {
    struct Shown: Sendable {
        let context: NIOSSLContext
        let names: CertificateNames
        let kind: WebSettings.Certificate
    }

    enum Choice {
        case show(Shown)
        case close(TLSAlert)
    }

    private let names: ServedNames
    private var shown: [DomainName: Shown] = [:]
    /// For clients that name no host of the service; `nil` closes the connection.
    private var other: Shown?
    /// Whether the world file sets `other`.
    private let otherIsSet: Bool

    init(
        _ service: World.Service, _ names: ServedNames, by authority: CertificateAuthority,
        applicationProtocols: [String]
    ) throws {
        self.names = names
        otherIsSet = service.web.withoutServerName != nil
        func make(_ names: CertificateNames, _ kind: WebSettings.Certificate) throws -> Shown {
            let (certificate, key) = try authority.issue(for: names, kind)
            return Shown(
                context: try .server(showing: certificate, key: key, applicationProtocols: applicationProtocols),
                names: names, kind: kind)
        }
        for (host, names) in names.hosts {
            let kind = service.web.certificates[host] ?? .ofHost
            shown[host] = try make(kind.names(CertificateNames(names: names)), kind)
        }
        switch service.web.withoutServerName {
        case nil: other = service.hostNames.first.flatMap { shown[$0] }
        case .certificate(let name):
            other =
                try names.host(named: "\(name)").flatMap { shown[$0] } ?? make(CertificateNames(names: [name]), .ofHost)
        case .close: break
        }
    }

    /// - Parameter serverName: as the client sent it; `nil` if it sent none.
    func choose(_ serverName: String?) -> Choice {
        if let host = serverName.flatMap(names.host(named:)), let own = shown[host] { return .show(own) }
        if let other { return .show(other) }
        return .close(serverName == nil ? .missingExtension : .unrecognisedName)
    }

    /// Whether a client must send a server name to be shown the certificate that it expects.
    var dependOnName: Bool { shown.count > 1 || otherIsSet }
}

extension WebSettings.Certificate {
    /// No host has this name (RFC 6761 §6.4).
    private static let nobody = try! DomainName("wrong-name.invalid")

    fileprivate func names(_ own: CertificateNames) -> CertificateNames {
        switch self {
        case .ofHost, .expired, .selfSigned: own
        case .naming(let names, let addresses): CertificateNames(names: names, addresses: addresses)
        case .wrongName: CertificateNames(names: [Self.nobody])
        }
    }
}
