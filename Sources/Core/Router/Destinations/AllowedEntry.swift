// SPDX-License-Identifier: Apache-2.0
package import Wire

/// A destination that is not a public address and may still be reached: one entry of `allow:`.
package enum AllowedEntry: Hashable, Sendable {
    case prefix(IPv4Prefix)
    /// A host name, such as that of a compose service, for the IPv4 addresses that it has at the time.
    case name(String)

    package enum Invalid: Error, Hashable, Sendable {
        case neitherPrefixNorName(String)
        /// No address of the prefix can ever be allowed.
        case neverAllowed(IPv4Prefix, because: String)
    }

    /// Reads `10.1.2.0/24`, an IPv4 address, or a host name.
    package init(_ text: some StringProtocol) throws(Invalid) {
        if let prefix = IPv4Prefix(text) {
            if let objection = AllowedDestinations.objection(to: prefix) {
                throw .neverAllowed(prefix, because: objection)
            }
            self = .prefix(prefix)
        } else if Self.isHostName(text.utf8) {
            self = .name(String(text))
        } else {
            throw .neitherPrefixNorName(String(text))
        }
    }

    /// Labels of letters, digits, hyphens and underscores (compose has those), the last not all digits (RFC 1123 §2.1): text that looks
    /// like an address is not a name.
    private static func isHostName(_ text: some Collection<UInt8>) -> Bool {
        let labels = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...253).contains(text.count), let last = labels.last else { return false }
        let areLabels = labels.allSatisfy { label in (1...63).contains(label.count) && label.allSatisfy(isOfLabel) }
        return areLabels && !last.allSatisfy(isDigit)
    }

    private static func isOfLabel(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: isDigit(octet)
        }
    }

    private static func isDigit(_ octet: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octet) }
}

extension AllowedEntry: CustomStringConvertible {
    package var description: String {
        switch self {
        case .prefix(let prefix): "\(prefix)"
        case .name(let name): name
        }
    }
}

extension AllowedEntry.Invalid: CustomStringConvertible {
    package var description: String {
        switch self {
        case .neitherPrefixNorName(let text):
            "'\(text)' is neither an IPv4 prefix such as 10.1.2.0/24 nor an IPv4 address nor a host name"
        case .neverAllowed(let prefix, let objection): "\(prefix) can never be allowed: \(objection)"
        }
    }
}
