// SPDX-License-Identifier: Apache-2.0
package import DNSWire
package import Wire

/// A connection to a server of the simulated world that speaks HTTP or TLS, or is a proxy, as the server saw it.
package struct ServedConnection: Codable, Hashable, Sendable {
    /// When it arrived, since the client was connected.
    package var time: Duration
    /// The service's address in the world.
    package var address: IPAddress
    package var port: UInt16
    /// `nil` without TLS.
    package var tls: TLSHandshake?
    /// `HTTP/1.1` or `HTTP/2`; `nil` if the connection ended before that was known.
    package var httpVersion: String?
    /// The first ones, in the order of the requests.
    package var exchanges: [HTTPExchange] = []
    /// Exchanges that found no room.
    package var omittedExchanges = 0
    /// Messages received by DNS over TLS.
    package var queries = 0
    /// The request to a proxy; `nil` if there was none, or the service is no proxy.
    package var proxied: ProxiedRequest?
    /// Whether the client ended it, or its sending half.
    package var wasEndedByClient = false
    /// Whether a program of the user's serves it behind TLS, so that its content is not seen.
    package var isOpaque = false

    /// More than one if the client reused the connection.
    package var requestCount: Int { exchanges.count + omittedExchanges }

    /// Whether the client requested nothing, if requests can be seen.
    package var saysNothing: Bool { !isOpaque && requestCount == 0 && queries == 0 && proxied == nil }

    package init(time: Duration, address: IPAddress, port: UInt16, tls: TLSHandshake? = nil) {
        self.time = time
        self.address = address
        self.port = port
        self.tls = tls
    }
}

/// The course of a TLS handshake (RFC 8446).
package struct TLSHandshake: Codable, Hashable, Sendable {
    package enum End: Codable, Hashable, Sendable {
        /// Its end was not seen.
        case open
        case completed
        /// The client ended it with this alert (RFC 8446 §6).
        case refusedByClient(alert: UInt8)
        /// The client closed the connection, without an alert.
        case left
        /// The server ended it with this alert because of the client's server name, or the lack of one.
        case refusedByServer(alert: UInt8)
        /// It failed for another reason: the client's data is not TLS, or its version is not supported.
        case failed
    }

    /// The server name (SNI), as the client wrote it; `nil` if it sent none.
    package var serverName: String?
    /// Whether another name would have got another certificate.
    package var dependsOnName: Bool
    /// The names in the certificate that the server showed; empty if it showed none.
    package var certificateNames: [DomainName] = []
    /// Whether that certificate is faulty on purpose, for example expired.
    package var isBad = false
    /// The protocol chosen by ALPN; `nil` if none was agreed upon.
    package var applicationProtocol: String?
    package var end = End.open
    /// From the start of the connection to the end of a completed handshake.
    package var duration: Duration?

    package init(serverName: String?, dependsOnName: Bool) {
        self.serverName = serverName
        self.dependsOnName = dependsOnName
    }
}

/// A request and its response.
package struct HTTPExchange: Codable, Hashable, Sendable {
    package var method: String
    /// The field Host as it was received, empty if there was none.
    package var host: String
    /// Path and query as they were received.
    package var path: String
    /// `nil` if the connection ended before there was a response.
    package var status: Int?
    /// Octets of the response's body that were sent.
    package var bytes = 0
    /// Whether the response is due to a host that the server does not have.
    package var isForUnknownHost = false
    /// Times of the request, and of the beginning and end of its response, since the connection began; `nil` if it did not happen.
    package var time = Duration.zero
    package var firstOctet: Duration?
    package var end: Duration?

    package init(method: String, host: String, path: String) {
        self.method = method
        self.host = host
        self.path = path
    }
}
