// SPDX-License-Identifier: Apache-2.0
/// What a client asked a proxy of the world for.
package struct ProxiedRequest: Codable, Hashable, Sendable {
    /// How it asked.
    package enum Manner: String, Codable, Hashable, Sendable {
        /// HTTP's method of that name (RFC 9110 §9.3.6).
        case connect
        /// A request for a URL (RFC 9112 §3.2.2).
        case request
        /// SOCKS version 4, or 4A where it gave a name.
        case socks4
        /// SOCKS version 5 (RFC 1928).
        case socks5
    }

    /// What came of it, by the names of RFC 9209 §2.3 where that has one.
    package enum Result: String, Codable, Hashable, Sendable {
        /// The connection ended before that was known.
        case open
        case connected
        /// There is no such name, or none with an address.
        case nameUnknown = "dns_error"
        /// No host of the world has the address, or the proxy itself has none of that family.
        case unroutable = "destination_ip_unroutable"
        case refused = "connection_refused"
        case timedOut = "connection_timeout"
        /// There was no room for one more connection.
        case noRoom = "connection_limit_reached"
        /// The proxy does nothing of the kind: SOCKS's BIND, a URL that is none of `http`.
        case notOffered = "http_request_denied"
    }

    package var manner: Manner
    /// A name or an address, as the client gave it.
    package var host: String
    package var port: UInt16
    package var result = Result.open

    package init(_ manner: Manner, host: String, port: UInt16, result: Result = .open) {
        self.manner = manner
        self.host = host
        self.port = port
        self.result = result
    }
}
