// SPDX-License-Identifier: Apache-2.0
package import Wire

/// The reason why an answer has no address, if the rule that decided does not explain it.
package enum NoAnswerReason: Codable, Hashable, Sendable {
    /// The well-known prefix must not carry these addresses.
    case notGlobal([IPv4Address])
    /// No clause maps these addresses.
    case notMapped([IPv4Address])
    /// There are clauses, but none for this client, or for a query without RD.
    case noClause
    /// Nothing is synthesised for this name.
    case excludedName
    /// The resolver synthesises only for ipv4only.arpa.
    case discoveryOnly
    /// The client would reject a synthesised answer as a forgery.
    case validatingClient
    /// The failures of the forwarders, in order.
    case forwarders([ForwarderFailure])
}

extension NoAnswerReason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notGlobal(let addresses):
            "\(Self.list(addresses)) \(addresses.count == 1 ? "is" : "are") not global, and 64:ff9b::/96 must not carry "
                + "\(addresses.count == 1 ? "it" : "them") (RFC 6052 §3.1): give a prefix of your own, or exempt-ipv4"
        case .notMapped(let addresses):
            "no clause maps \(Self.list(addresses)): see mapped and ipv4-ranges"
        case .noClause: "no clause is for this client and this query: see clients and recursive-only"
        case .excludedName: "exclude-zones has this name"
        case .discoveryOnly:
            "this network has no DNS64: programs synthesise the addresses that they need (RFC 7050, RFC 8781)"
        case .validatingClient:
            "the client validates by itself (DO, CD), and would take a synthesised record for a forgery"
        case .forwarders(let failures): ForwarderFailure.summary(failures)
        }
    }

    private static func list(_ addresses: [IPv4Address]) -> String {
        let texts = addresses.map(\.description)
        return texts.count < 2
            ? texts.joined() : texts.dropLast().joined(separator: ", ") + " and " + texts[texts.count - 1]
    }
}
