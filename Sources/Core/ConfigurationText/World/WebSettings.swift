// SPDX-License-Identifier: Apache-2.0
package import DNSWire
package import Wire

/// How a service speaks TLS and HTTP, where the world file says more of it than its port.
package struct WebSettings: Hashable, Sendable {
    /// The reaction to a client that names no server in its ClientHello (SNI, RFC 6066 §3), or an unknown one.
    package enum WithoutServerName: Hashable, Sendable {
        /// The certificate of this name: of a host, or of no host here.
        case certificate(of: DomainName)
        /// The end of the connection, by an alert.
        case close
    }

    /// A host's certificate.
    package enum Certificate: Hashable, Sendable {
        /// A good one, for the host and its aliases.
        case ofHost
        /// A good one, for these and nothing else.
        case naming([DomainName], [IPAddress])
        /// One for the host and its aliases that was good until a day before the run.
        case expired
        /// One for the host and its aliases that no authority has signed.
        case selfSigned
        /// A good one for another host.
        case wrongName
    }

    /// The exceptions: hosts with another certificate than the one for their names.
    package var certificates: [DomainName: Certificate] = [:]
    /// `nil` is the certificate of the first host, which is what servers do that are not told otherwise.
    package var withoutServerName: WithoutServerName?
    /// The status of an answer to a request for a host that is not here; `nil` is to answer it like any other.
    package var unknownHost: Int?
    /// For each host, by the path of the request.
    package var replies: [DomainName: [String: WebReply]] = [:]

    /// Whether it tells addresses of names, as HTTPDNS does.
    package var tellsAddresses = false
    /// Whether it answers queries of the DNS (RFC 8484).
    package var answersDNS = false

    package init() {}

    /// Takes over what `other` says of further hosts.
    /// - Returns: the key that the two contradict each other about, `nil` if they agree.
    mutating func join(_ other: WebSettings) -> String? {
        if let value = other.withoutServerName {
            if let own = withoutServerName, own != value { return Key.withoutServerName }
            withoutServerName = value
        }
        if let value = other.unknownHost {
            if let own = unknownHost, own != value { return Key.unknownHost }
            unknownHost = value
        }
        tellsAddresses = tellsAddresses || other.tellsAddresses
        answersDNS = answersDNS || other.answersDNS
        certificates.merge(other.certificates) { first, _ in first }
        replies.merge(other.replies) { first, _ in first }
        return nil
    }

    /// Its keys in a world file.
    enum Key {
        static let port = "port"
        static let certificate = "certificate"
        static let withoutServerName = "without-sni"
        static let unknownHost = "unknown-host"
        static let replies = "replies"
        static let httpDNS = "httpdns"
        static let dns = "dns"
    }
}
