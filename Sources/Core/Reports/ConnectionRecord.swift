// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

/// A `ServedConnection` in JSON reports.
struct ConnectionRecord: Encodable, Sendable {
    struct TLS: Encodable, Sendable {
        /// Absent if the client sent no server name.
        let serverName: String?
        /// Whether another name would have got another certificate.
        let dependsOnName: Bool
        let certificateNames: [String]
        /// Absent if none was agreed upon.
        let applicationProtocol: String?
        /// `open`, `completed`, `refused-by-client`, `left`, `refused-by-server` or `failed`.
        let end: String
        /// Absent if there was none.
        let alert: UInt8?
        let alertName: String?
        /// From the start of the connection to the end of the handshake; absent if it was not completed.
        let seconds: Double?

        init(_ tls: TLSHandshake) {
            serverName = tls.serverName
            dependsOnName = tls.dependsOnName
            certificateNames = tls.certificateNames.map(\.withoutFinalDot)
            applicationProtocol = tls.applicationProtocol
            switch tls.end {
            case .open: (end, alert) = ("open", nil)
            case .completed: (end, alert) = ("completed", nil)
            case .refusedByClient(let number): (end, alert) = ("refused-by-client", number)
            case .left: (end, alert) = ("left", nil)
            case .refusedByServer(let number): (end, alert) = ("refused-by-server", number)
            case .failed: (end, alert) = ("failed", nil)
            }
            alertName = alert.map(tlsAlertName)
            seconds = tls.duration.map { $0 / .seconds(1) }
        }
    }

    struct Exchange: Encodable, Sendable {
        let method: String
        /// Absent if the request had none.
        let host: String?
        let path: String
        /// Absent if there was no answer.
        let status: Int?
        let bytes: Int
        /// Times of the request, and of the beginning and end of its response, since the connection began; absent if it did not happen.
        let seconds: Double
        let firstByteSeconds: Double?
        let endSeconds: Double?

        init(_ exchange: HTTPExchange) {
            method = exchange.method
            host = exchange.host.isEmpty ? nil : exchange.host
            path = exchange.path
            status = exchange.status
            bytes = exchange.bytes
            seconds = exchange.time / .seconds(1)
            firstByteSeconds = exchange.firstOctet.map { $0 / .seconds(1) }
            endSeconds = exchange.end.map { $0 / .seconds(1) }
        }
    }

    struct Proxied: Encodable, Sendable {
        /// `connect`, `request`, `socks4` or `socks5`.
        let manner: String
        let host: String
        let port: UInt16
        let result: String

        init(_ request: ProxiedRequest) {
            manner = request.manner.rawValue
            host = request.host
            port = request.port
            result = request.result.rawValue
        }
    }

    /// Since the client was connected.
    let seconds: Double
    let address: String
    let port: UInt16
    /// The source of the address; absent if no look-up had it.
    let lookup: HostLookupRecord?
    /// Absent without TLS.
    let tls: TLS?
    /// Absent if the connection ended before it was known.
    let httpVersion: String?
    let requests: [Exchange]
    /// The request to a proxy; absent if there was none.
    let proxied: Proxied?
    /// Absent if none is omitted.
    let omittedRequests: Int?

    init(_ connection: ServedConnection, lookup: HostLookup?, limit: Int) {
        seconds = connection.time / .seconds(1)
        address = connection.address.description
        port = connection.port
        self.lookup = lookup.map(HostLookupRecord.init)
        tls = connection.tls.map(TLS.init)
        httpVersion = connection.httpVersion
        requests = connection.exchanges.prefix(limit / 16).map(Exchange.init)
        proxied = connection.proxied.map(Proxied.init)
        let omitted = connection.requestCount - requests.count
        omittedRequests = omitted == 0 ? nil : omitted
    }
}
