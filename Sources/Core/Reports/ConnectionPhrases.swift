import Evidence
import Text
import Wire

/// `198.51.100.10:443  TLS for shop.test, http/1.1  GET shop.test/ 200`
func phrase(_ connection: ServedConnection) -> String {
    let tls = connection.tls.map { [phrase($0)] } ?? []
    var requests = connection.exchanges.prefix(4).map { exchange in
        "\(exchange.method) \(exchange.host)\(exchange.path) \(exchange.status.map(String.init) ?? "without an answer")"
    }
    let more = connection.exchanges.count - requests.count + connection.omittedExchanges
    if more > 0 { requests.append("and \(more) more") }
    if requests.isEmpty, !connection.isOpaque { requests = ["no request"] }
    let place = connection.address.description(port: connection.port)
    return printable(([place] + tls + requests).joined(separator: "  "))
}

private func phrase(_ tls: TLSHandshake) -> String {
    let name = tls.serverName.map { "TLS for \($0)" } ?? "TLS without a server name"
    let end =
        switch tls.end {
        case .open: "no handshake"
        case .completed: tls.applicationProtocol ?? "no ALPN"
        case .refusedByClient(let alert): "refused by the client (\(tlsAlertName(alert)))"
        case .left: "left by the client"
        case .refusedByServer(let alert): "refused by the server (\(tlsAlertName(alert)))"
        case .failed: "failed"
        }
    return "\(name), \(end)"
}
