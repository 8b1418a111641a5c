// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Wire

/// Reads an `http`, `https` or `dot` service that is a map (its port and further keys):
///
///     http: { unknown-host: 404 }
///     https: { port: 8443, without-sni: close, certificate: expired }
///     https: { without-sni: cdn.test, certificate: [shop.test, 198.51.100.10] }
///     http: { httpdns: true }
///     https: { dns: true }
///     dot: { certificate: expired }
///     http: { replies: { /list.json: list.json } }                             # `RepliesSection.swift`
extension WorldFileReader {
    /// - Returns: `nil` if the port is not valid, which is reported. The caller has checked that `node` is a map, and that `kind` is http,
    ///   https or dot.
    mutating func readWeb(_ node: YAMLNode, _ kind: ServiceKind, of host: DomainName) -> ServiceDeclaration? {
        guard case .map(let entries) = node.content, let usual = kind.defaultPort else { return nil }
        typealias Key = WebSettings.Key
        let ofHTTP = [Key.unknownHost, Key.replies, Key.httpDNS]
        let ofTLS = [Key.certificate, Key.withoutServerName]
        let keys =
            switch kind {
            // RFC 8484 §5: DNS over HTTPS must be used with https.
            case .http: ofHTTP
            case .https: ofHTTP + ofTLS + [Key.dns]
            // dot: the caller passes no other kind.
            default: ofTLS
            }
        let fields = fields(entries, of: kind.word, named: [Key.port] + keys)
        var declaration = ServiceDeclaration(kind: kind, port: usual)
        if let port = fields[Key.port] {
            guard let number = readPort(port, of: kind.word) else { return nil }
            declaration.port = number
        }
        // The status for a request to an unknown host: a client error (RFC 9110 §15.5).
        declaration.web.unknownHost = fields[Key.unknownHost].flatMap { number($0, Key.unknownHost, in: 400...499) }
        if let node = fields[Key.replies] { declaration.web.replies[host] = readReplies(node) }
        if let node = fields[Key.httpDNS] { declaration.web.tellsAddresses = flag(node, Key.httpDNS) ?? false }
        if let node = fields[Key.dns] { declaration.web.answersDNS = flag(node, Key.dns) ?? false }
        if let certificate = fields[Key.certificate].flatMap({ readCertificate($0) }) {
            declaration.web.certificates[host] = certificate
        }
        declaration.web.withoutServerName = fields[Key.withoutServerName].flatMap { readWithoutServerName($0) }
        return declaration
    }

    private mutating func readWithoutServerName(_ node: YAMLNode) -> WebSettings.WithoutServerName? {
        if node.isText("close") { return .close }
        if case .scalar(let text) = node.content, IPAddress(text) == nil, let name = try? DomainName(text), !name.isRoot
        {
            return .certificate(of: name)
        }
        report(
            "\(WebSettings.Key.withoutServerName) must be close, or the name whose certificate is shown, such as shop.test, not "
                + node.kindDescription, at: node.position)
        return nil
    }

    private mutating func readCertificate(_ node: YAMLNode) -> WebSettings.Certificate? {
        let kinds: [(word: String, WebSettings.Certificate)] = [
            ("expired", .expired), ("self-signed", .selfSigned), ("wrong-name", .wrongName),
        ]
        guard case .list(let written) = node.content, !written.isEmpty else {
            if let kind = kinds.first(where: { node.isText($0.word) }) { return kind.1 }
            report(
                "a certificate is the list of its names, such as [shop.test], or one of expired, self-signed and wrong-name, not "
                    + node.kindDescription, at: node.position)
            return nil
        }
        guard written.count <= WorldFileLimits.certificateNames else {
            report("a certificate has at most \(WorldFileLimits.certificateNames) names", at: node.position)
            return nil
        }
        var names: [DomainName] = []
        var addresses: [IPAddress] = []
        for item in written {
            if case .scalar(let text) = item.content, let address = IPAddress(text) {
                addresses.append(address)
            } else if case .scalar(let text) = item.content, let name = try? DomainName(text), !name.isRoot {
                names.append(name)
            } else {
                report(
                    "a certificate has names such as shop.test, and addresses such as 198.51.100.10, not \(item.kindDescription)",
                    at: item.position)
            }
        }
        return .naming(names, addresses)
    }
}
