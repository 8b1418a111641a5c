// SPDX-License-Identifier: Apache-2.0
package import DNSWire
package import Wire

/// How a service handles TLS and HTTP, if the world file has more than its port.
package struct WebSettings: Hashable, Sendable {
    /// The response to a client whose ClientHello has no server name (SNI, RFC 6066 §3), or one that is not here.
    package enum WithoutServerName: Hashable, Sendable {
        /// The certificate for this name, which may be of a host or not exist here.
        case certificate(of: DomainName)
        /// An alert that ends the connection.
        case close
    }

    /// The certificate that a host presents.
    package enum Certificate: Hashable, Sendable {
        /// A valid one, for the host and its aliases.
        case ofHost
        /// A valid one, for these names and addresses only.
        case naming([DomainName], [IPAddress])
        /// One for the host and its aliases that expired a day before the run.
        case expired
        /// One for the host and its aliases that no authority has signed.
        case selfSigned
        /// A valid one for another name.
        case wrongName
    }

    /// Certificates of the hosts that present another than the one for their names.
    package var certificates: [DomainName: Certificate] = [:]
    /// `nil` is the certificate of the first host, the default of common servers.
    package var withoutServerName: WithoutServerName?
    /// The status of a reply to a request for a host that is not here; `nil` to reply as for any other.
    package var unknownHost: Int?
    /// Replies of each host, by the path of the request.
    package var replies: [DomainName: [String: WebReply]] = [:]

    /// Whether it resolves names to addresses, as HTTPDNS does.
    package var tellsAddresses = false
    /// Whether it answers DNS queries (RFC 8484).
    package var answersDNS = false

    package init() {}

    /// Adds the settings of `other`, which are for further hosts.
    /// - Returns: the key in which the two differ; `nil` if they agree.
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
