// SPDX-License-Identifier: Apache-2.0
import Wire

/// For a packet path that gets its destinations from another process.
extension AllowedDestinations: Codable {
    private enum CodingKeys: String, CodingKey {
        case exceptions, own, hasIPv6, clientLinks
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let exceptions = try container.decode([String].self, forKey: .exceptions).map { text in
            guard let prefix = IPv4Prefix(text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .exceptions, in: container, debugDescription: "\(text) is no prefix")
            }
            return prefix
        }
        self.init(
            exceptions: exceptions, own: try container.decode(Set<IPAddress>.self, forKey: .own),
            hasIPv6: try container.decode(Bool.self, forKey: .hasIPv6),
            clientLinks: try container.decode([String].self, forKey: .clientLinks).compactMap(IPv6Prefix.init))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(exceptions.map { "\($0)" }, forKey: .exceptions)
        try container.encode(own, forKey: .own)
        try container.encode(hasIPv6, forKey: .hasIPv6)
        try container.encode(clientLinks.map { "\($0)" }, forKey: .clientLinks)
    }
}
