// SPDX-License-Identifier: Apache-2.0
/// A client's request to a proxy of the world.
package struct ProxiedRequest: Codable, Hashable, Sendable {
    /// The kind of request.
    package enum Manner: String, Codable, Hashable, Sendable {
        /// HTTP's method of that name (RFC 9110 §9.3.6).
        case connect
        /// A request for a URL (RFC 9112 §3.2.2).
        case request
        /// SOCKS version 4, or 4A if it gave a name.
        case socks4
        /// SOCKS version 5 (RFC 1928).
        case socks5
    }

    /// The outcome of the request, by the names of RFC 9209 §2.3 if it has one.
    package enum Result: String, Codable, Hashable, Sendable {
        /// The connection ended before the outcome was known.
        case open
        case connected
        /// The name does not exist, or has no address.
        case nameUnknown = "dns_error"
        /// No host of the world has the address, or the proxy itself has none of that family.
        case unroutable = "destination_ip_unroutable"
        case refused = "connection_refused"
        case timedOut = "connection_timeout"
        /// The limit of connections was reached.
        case noRoom = "connection_limit_reached"
        /// The proxy does not support it: SOCKS's BIND, a URL that is not `http`.
        case notOffered = "http_request_denied"
        /// An IPv6 address without brackets before a port.
        case unreadable = "http_request_error"
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
