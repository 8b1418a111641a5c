// SPDX-License-Identifier: Apache-2.0
package import DNSWire
package import Wire

/// A connection to a server of the simulated world that speaks HTTP or TLS, or is a proxy, as the server saw it.
package struct ServedConnection: Codable, Hashable, Sendable {
    /// When it came, since the client was connected.
    package var time: Duration
    /// The service, as it is called in the world.
    package var address: IPAddress
    package var port: UInt16
    /// `nil` without TLS.
    package var tls: TLSHandshake?
    /// `HTTP/1.1` or `HTTP/2`; `nil` where that was not known before the connection ended.
    package var httpVersion: String?
    /// The first ones, in the order in which they were asked for.
    package var exchanges: [HTTPExchange] = []
    /// Those that there was no room for.
    package var omittedExchanges = 0
    /// Messages of DNS over TLS that came.
    package var queries = 0
    /// What the client asked a proxy for; `nil` where it did not, or the service is none.
    package var proxied: ProxiedRequest?
    /// Whether the client ended it, or its sending half.
    package var wasEndedByClient = false
    /// Whether what is said there is between the client and a program of the user's.
    package var isOpaque = false

    /// More than one where the client used the connection again.
    package var requestCount: Int { exchanges.count + omittedExchanges }

    /// Whether the client asked for nothing, where it would be seen.
    package var saysNothing: Bool { !isOpaque && requestCount == 0 && queries == 0 && proxied == nil }

    package init(time: Duration, address: IPAddress, port: UInt16, tls: TLSHandshake? = nil) {
        self.time = time
        self.address = address
        self.port = port
        self.tls = tls
    }
}

/// How a TLS handshake went (RFC 8446).
package struct TLSHandshake: Codable, Hashable, Sendable {
    package enum End: Codable, Hashable, Sendable {
        /// It was not seen to end.
        case open
        case completed
        /// The client ended it by this alert (RFC 8446 §6).
        case refusedByClient(alert: UInt8)
        /// The client closed the connection, without an alert.
        case left
        /// The server ended it by this alert, for the name that the client gave, or gave none.
        case refusedByServer(alert: UInt8)
        /// It failed for another reason: what the client sent is no TLS, or of a version that is not spoken.
        case failed
    }

    /// What the client named (SNI), as it wrote it; `nil` if it named nothing.
    package var serverName: String?
    /// Whether another name would have got another certificate.
    package var dependsOnName: Bool
    /// Of the certificate that the client was shown; none if it was shown none.
    package var certificateNames: [DomainName] = []
    /// Whether something is wrong with that certificate on purpose, such as that it has expired.
    package var isBad = false
    /// By ALPN; `nil` if none was agreed upon.
    package var applicationProtocol: String?
    package var end = End.open
    /// From the connection's coming to the end of a handshake that was completed.
    package var duration: Duration?

    package init(serverName: String?, dependsOnName: Bool) {
        self.serverName = serverName
        self.dependsOnName = dependsOnName
    }
}

/// A request and what it was answered.
package struct HTTPExchange: Codable, Hashable, Sendable {
    package var method: String
    /// The field Host as it came, empty where there was none.
    package var host: String
    /// Path and query as they came.
    package var path: String
    /// `nil` if the connection ended before there was an answer.
    package var status: Int?
    /// Octets of the response's body that were sent.
    package var bytes = 0
    /// Whether it was answered so because the server has no such host.
    package var isForUnknownHost = false
    /// When it came, and when its answer began and ended, since the connection came; `nil` if it did not.
    package var time = Duration.zero
    package var firstOctet: Duration?
    package var end: Duration?

    package init(method: String, host: String, path: String) {
        self.method = method
        self.host = host
        self.path = path
    }
}
