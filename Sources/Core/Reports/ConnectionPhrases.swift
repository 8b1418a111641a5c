// SPDX-License-Identifier: Apache-2.0
import Evidence
import Text
import Wire

/// `198.51.100.10:443 (shop.test, looked up by curl)  TLS for shop.test, h2, in 4 ms  HTTP/2  GET shop.test/ 200 in 1 ms, ended in 2 ms`
func phrase(_ connection: ServedConnection, _ lookup: HostLookup?) -> String {
    let place = "\(connection.address.description(port: connection.port)) (\(phrase(lookup)))"
    var parts = [place]
    if let tls = connection.tls { parts.append(phrase(tls)) }
    if let version = connection.httpVersion { parts.append(version) }
    parts += connection.exchanges.prefix(shownRequests).map(phrase)
    let more = connection.requestCount - min(connection.exchanges.count, shownRequests)
    if more > 0 { parts.append("and \(more) more") }
    if let proxied = connection.proxied { parts.append(phrase(proxied)) }
    if connection.saysNothing { parts.append("no request") }
    return printable(parts.joined(separator: "  "))
}

/// Requests shown per connection.
private let shownRequests = 4

/// Times are from the arrival of the request to the first octet of its response, and to the last.
private func phrase(_ exchange: HTTPExchange) -> String {
    let request = "\(exchange.method) \(exchange.host)\(exchange.path)"
    guard let status = exchange.status else { return "\(request) without an answer" }
    let first = exchange.firstOctet.map { " in \(phrase($0 - exchange.time))" } ?? ""
    let end = exchange.end.map { ", ended in \(phrase($0 - exchange.time))" } ?? ", not ended"
    return "\(request) \(status)\(first)\(end)"
}

extension ServedConnection {
    /// Whether something about it went wrong, or may have gone wrong.
    var isTelling: Bool {
        if let tls, tls.end != .completed { return true }
        if let proxied, proxied.result != .connected { return true }
        return saysNothing || exchanges.contains { $0.status.map { $0 >= 400 } ?? true }
    }
}

/// `CONNECT shop.test:443, connected`
private func phrase(_ request: ProxiedRequest) -> String {
    let manner =
        switch request.manner {
        case .connect: "CONNECT"
        case .request: "request to"
        case .socks4: "SOCKS4"
        case .socks5: "SOCKS5"
        }
    let result =
        switch request.result {
        case .open: "no answer"
        case .connected: "connected"
        case .nameUnknown: "no such name"
        case .unroutable: "no such host"
        case .refused: "refused"
        case .timedOut: "timed out"
        case .noRoom: "no room"
        case .notOffered: "not offered"
        case .unreadable: "not read"
        }
    let host = request.host.contains(":") ? "[\(request.host)]" : request.host
    return "\(manner) \(host):\(request.port), \(result)"
}

private func phrase(_ tls: TLSHandshake) -> String {
    let name = tls.serverName.map { "TLS for \($0)" } ?? "TLS without a server name"
    let end =
        switch tls.end {
        case .open: "no handshake"
        case .completed:
            (tls.applicationProtocol ?? "no ALPN") + (tls.duration.map { ", in \(phrase($0))" } ?? "")
        case .refusedByClient(let alert): "refused by the client (\(tlsAlertName(alert)))"
        case .left: "left by the client"
        case .refusedByServer(let alert): "refused by the server (\(tlsAlertName(alert)))"
        case .failed: "failed"
        }
    return "\(name), \(end)"
}
