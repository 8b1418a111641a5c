// SPDX-License-Identifier: Apache-2.0
package import DNSWire

/// An error that a server makes on purpose.
package struct Fault: Hashable, Sendable {
    /// The queries that a fault affects.
    package struct Pattern: Hashable, Sendable {
        /// Matches every name below if its first label is an asterisk; `nil`: every name.
        package var name: DomainName?
        package var type: RecordType?
        package var transport: Transport?
        /// Numbers of the affected queries among those that match otherwise, from 1; `nil`: all.
        package var numbers: ClosedRange<Int>?

        package init(
            name: DomainName? = nil, type: RecordType? = nil, transport: Transport? = nil,
            numbers: ClosedRange<Int>? = nil
        ) {
            self.name = name
            self.type = type
            self.transport = transport
            self.numbers = numbers
        }
    }

    package enum Effect: Codable, Hashable, Sendable {
        /// This response code and nothing else.
        case responseCode(ResponseCode)
        /// No reply.
        case drop
        case delay(Duration)
        /// TC and no records, over UDP.
        case truncate
        /// A reply that answers another query.
        case wrongIdentifier
        /// These data instead of the answer, under the name that was asked for.
        case answer([RecordData])
        /// The IPv4 addresses that AAAA records would be synthesised from, as IPv4-mapped ones.
        case mappedAAAA
        /// A CNAME to the name itself.
        case aliasLoop
        /// This TTL on every record.
        case ttl(UInt32)
        case extendedError(ExtendedError)
    }

    package var pattern: Pattern
    package var effect: Effect

    package init(_ pattern: Pattern, _ effect: Effect) {
        self.pattern = pattern
        self.effect = effect
    }
}

extension Fault.Pattern {
    /// Whether a query matches, regardless of its number.
    func matches(_ question: Question, over transport: Transport) -> Bool {
        if let type, type != question.type { return false }
        if let expected = self.transport, expected != transport { return false }
        guard let name else { return true }
        guard name.isWildcard, let ancestor = name.parent else { return name == question.name }
        return question.name != ancestor && question.name.isSubdomain(of: ancestor)
    }
}

extension Fault {
    /// Each query is compared with every fault, so this is about as many as a person writes.
    package static let maximumFaults = 1024
}
