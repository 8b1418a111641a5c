// SPDX-License-Identifier: Apache-2.0
package import DNSWire

/// The reason why a message was not looked up: a closed list, with one counter each. The raw value is the counter's name.
package enum RefusedQuery: String, Codable, Hashable, Sendable, CaseIterable {
    /// Too short for a header, so there is nothing to answer.
    case noHeader = "no-header"
    /// QR is set. An answer to an answer would go back and forth for ever.
    case isResponse = "response"
    case unknownOpcode = "opcode"
    case malformed
    case questionCount = "question-count"
    case ednsVersion = "edns-version"
    /// AXFR, OPT and other types that a resolver does not look up.
    case metaType = "meta-type"
    case otherClient = "other-client"
    /// All slots for queries that wait for answers are taken.
    case tooMany = "too-many"

    package var explanation: String {
        switch self {
        case .noHeader: "shorter than a header"
        case .isResponse: "a response, not a query"
        case .unknownOpcode: "an opcode other than QUERY"
        case .malformed: "not readable as a message"
        case .questionCount: "not exactly one question"
        case .ednsVersion: "an EDNS version other than 0"
        case .metaType: "a query type that cannot be looked up"
        case .otherClient: "a client that is not served"
        case .tooMany: "too many queries under way"
        }
    }

    /// The response code; `nil` if no reply is sent, because that is safer or impossible.
    package var responseCode: ResponseCode? {
        switch self {
        case .noHeader, .isResponse: nil
        case .unknownOpcode, .metaType: .notImplemented
        case .malformed, .questionCount: .formatError
        case .ednsVersion: .badVersion
        case .otherClient: .refused
        case .tooMany: .serverFailure
        }
    }
}
