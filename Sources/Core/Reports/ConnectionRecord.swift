// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

/// A `ServedConnection` for programs.
struct ConnectionRecord: Encodable, Sendable {
    struct TLS: Encodable, Sendable {
        /// Absent where the client named none.
        let serverName: String?
        /// Whether another name would have got another certificate.
        let dependsOnName: Bool
        let certificateNames: [String]
        /// Absent where none was agreed upon.
        let applicationProtocol: String?
        /// `open`, `completed`, `refused-by-client`, `left`, `refused-by-server` or `failed`.
        let end: String
        /// Absent where there was none.
        let alert: UInt8?
        let alertName: String?
        /// From the connection's coming to the handshake's end; absent where it was not completed.
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
        /// Absent where the request had none.
        let host: String?
        let path: String
        /// Absent where there was no answer.
        let status: Int?
        let bytes: Int
        /// When it came, and when its answer began and ended, since the connection came; absent where it did not.
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
    /// Who told the client its address; absent where nobody did.
    let lookup: HostLookupRecord?
    /// Absent without TLS.
    let tls: TLS?
    /// Absent where it was not known before the connection ended.
    let httpVersion: String?
    let requests: [Exchange]
    /// Of a proxy; absent where it was asked for nothing.
    let proxied: Proxied?
    /// Absent where all are there.
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
