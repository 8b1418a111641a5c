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

        init(_ exchange: HTTPExchange) {
            method = exchange.method
            host = exchange.host.isEmpty ? nil : exchange.host
            path = exchange.path
            status = exchange.status
            bytes = exchange.bytes
        }
    }

    /// Since the client was connected.
    let seconds: Double
    let address: String
    let port: UInt16
    /// Absent without TLS.
    let tls: TLS?
    let requests: [Exchange]
    /// Absent where all are there.
    let omittedRequests: Int?

    init(_ connection: ServedConnection, limit: Int) {
        seconds = connection.time / .seconds(1)
        address = connection.address.description
        port = connection.port
        tls = connection.tls.map(TLS.init)
        requests = connection.exchanges.prefix(limit / 16).map(Exchange.init)
        let omitted = connection.omittedExchanges + connection.exchanges.count - requests.count
        omittedRequests = omitted == 0 ? nil : omitted
    }
}
