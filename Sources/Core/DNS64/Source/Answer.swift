// SPDX-License-Identifier: Apache-2.0
package import DNSWire

/// The result of a look-up: the sections of a response, before they are processed.
package struct Answer: Hashable, Sendable {
    package var responseCode: ResponseCode
    /// The aliases that lead to the data, then the data.
    package var answer: [ResourceRecord]
    package var authority: [ResourceRecord]
    package var additional: [ResourceRecord]
    /// Whether DNSSEC proved the answer (AD).
    package var isAuthentic: Bool
    /// Whether DNSSEC refuted the answer; then only that is reported to the client.
    package var isBogus = false
    package var source: Source

    /// The source of an answer.
    package enum Source: Codable, Hashable, Sendable {
        /// The records of the world.
        case world
        /// The names that every DNS64 knows by itself (RFC 8880).
        case specialUse
        /// The reverse zone of a prefix, which is the DNS64's own (RFC 6147 §5.3.1).
        case ownZone
        case cache
        case forwarder(Endpoint)
        case validator
        /// No source: the message was answered for its form alone, or no server could be asked.
        case none
    }

    package init(
        _ responseCode: ResponseCode = .noError, answer: [ResourceRecord] = [], authority: [ResourceRecord] = [],
        additional: [ResourceRecord] = [], isAuthentic: Bool = false, source: Source
    ) {
        self.responseCode = responseCode
        self.answer = answer
        self.authority = authority
        self.additional = additional
        self.isAuthentic = isAuthentic
        self.source = source
    }

    /// Seconds for which a negative answer may be cached: the lesser of the SOA record's TTL and its MINIMUM (RFC 2308 §5). `nil` without a
    /// SOA record.
    package var negativeTTL: UInt32? {
        for record in authority {
            if case .soa(let soa) = record.data { return min(record.ttl, soa.minimum) }
        }
        return nil
    }
}

extension Answer.Source {
    init(_ server: UpstreamServer) {
        switch server {
        case .forwarder(let endpoint): self = .forwarder(endpoint)
        case .validator: self = .validator
        }
    }
}

extension Answer.Source: CustomStringConvertible {
    package var description: String {
        switch self {
        case .world: "world"
        case .specialUse: "special-use name"
        case .ownZone: "reverse zone of the DNS64"
        case .cache: "cache"
        case .validator: "validator"
        case .forwarder(let endpoint): "forwarder \(endpoint)"
        case .none: "none"
        }
    }
}
