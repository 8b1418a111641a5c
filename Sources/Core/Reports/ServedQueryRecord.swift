// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Evidence
import Text
import Wire

/// A `ServedQuery` in JSON reports.
struct ServedQueryRecord: Encodable, Sendable {
    /// Time of the first, since the client was connected.
    let seconds: Double
    let address: String
    let port: UInt16
    /// `dot`, `doh` or `httpdns`.
    let carrier: String
    let name: String
    let type: String
    let responseCode: String
    let addresses: [String]
    let count: Int

    init(_ query: ServedQuery) {
        seconds = query.time / .seconds(1)
        address = query.address.description
        port = query.port
        carrier = query.carrier.rawValue
        name = query.question.name.withoutFinalDot
        type = query.question.type.description
        responseCode = query.responseCode.description
        addresses = query.addresses.map(\.description)
        count = query.count
    }
}

/// `echo.test A → 198.51.100.7  from 198.51.100.53:443 by DNS over HTTPS`
func phrase(_ query: ServedQuery) -> String {
    let told =
        if !query.addresses.isEmpty {
            query.addresses.map(\.description).joined(separator: ", ")
        } else if query.responseCode != .noError {
            query.responseCode.description
        } else {
            [.a, .aaaa].contains(query.question.type) ? "no such record" : "answered"
        }
    let place = query.address.description(port: query.port)
    let times = query.count > 1 ? "  × \(query.count)" : ""
    return
        "\(query.question.name.withoutFinalDot) \(query.question.type) → \(told)  from \(place) by \(phrase(query.carrier))\(times)"
}

func phrase(_ carrier: ServedQuery.Carrier) -> String {
    switch carrier {
    case .tls: "DNS over TLS"
    case .https: "DNS over HTTPS"
    case .httpDNS: "HTTPDNS"
    }
}
