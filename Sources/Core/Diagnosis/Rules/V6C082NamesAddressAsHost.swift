// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension Rule {
    /// A server of several hosts distinguishes them by the field Host (RFC 9110 §7.2); an address matches none of their names.
    package static let namesAddressAsHost = Rule(
        id: "V6C-082", title: "gives an address as the host of an HTTP request, which the server does not know",
        advice:
            "Put the name into the URL, or into the field Host where the connection goes to an address: a server of several hosts knows them "
            + "by it.",
        supersedes: ["V6C-005"]
    ) { examination in
        let connections = examination.run.seen.connections.filter { $0.refusedAddress != nil }
        return examination.observations(of: connections) { connection in
            guard let exchange = connection.refusedAddress else { return "" }
            return
                "and asked for the host \(text: exchange.host), which the server does not have: it answered \(exchange.status ?? 0)."
        }
    }
}

extension ServedConnection {
    fileprivate var refusedAddress: HTTPExchange? {
        exchanges.first { $0.isForUnknownHost && $0.status != nil && isAddress($0.host) }
    }
}

/// Whether an authority has an address for its host (RFC 3986 §3.2.2).
private func isAddress(_ authority: String) -> Bool {
    if authority.hasPrefix("[") { return IPAddress(String(authority.dropFirst().prefix { $0 != "]" })) != nil }
    return IPAddress(String(authority.prefix { $0 != ":" })) != nil || IPAddress(authority) != nil
}
