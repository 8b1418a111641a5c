// SPDX-License-Identifier: Apache-2.0
package import Wire

/// A network of either family.
package enum AddressPattern: Hashable, Sendable {
    case any
    case ipv4(IPv4Prefix)
    case ipv6(IPv6Prefix)

    package func contains(_ address: IPAddress) -> Bool {
        switch (self, address) {
        case (.any, _): true
        case (.ipv4(let prefix), .ipv4(let address)): prefix.contains(address)
        case (.ipv6(let prefix), .ipv6(let address)): prefix.contains(address)
        case (.ipv4, .ipv6), (.ipv6, .ipv4): false
        }
    }

    /// Reads `any`, an address, or a prefix of either family.
    package init?(_ text: some StringProtocol) {
        if text == "any" {
            self = .any
        } else if let prefix = IPv4Prefix(text) {
            self = .ipv4(prefix)
        } else if let prefix = IPv6Prefix(text) {
            self = .ipv6(prefix)
        } else {
            return nil
        }
    }
}

/// Networks in order, each included or excluded: the first that contains an address decides; an address in none is excluded. BIND calls
/// this an address match list.
package struct AddressMatchList: Hashable, Sendable {
    package struct Element: Hashable, Sendable {
        package var pattern: AddressPattern
        package var isNegated: Bool

        package init(_ pattern: AddressPattern, isNegated: Bool = false) {
            self.pattern = pattern
            self.isNegated = isNegated
        }
    }

    package var elements: [Element]

    package init(_ elements: [Element]) {
        self.elements = elements
    }

    package static let any = AddressMatchList([Element(.any)])
    package static let none = AddressMatchList([])

    package func contains(_ address: IPAddress) -> Bool {
        guard let decisive = elements.first(where: { $0.pattern.contains(address) }) else { return false }
        return !decisive.isNegated
    }

    /// Reads BIND's form, with one element per text.
    package init?(_ texts: some Sequence<some StringProtocol>) {
        var elements: [Element] = []
        for text in texts {
            guard let element = Element(text) else { return nil }
            elements.append(element)
        }
        self.elements = elements
    }
}

extension AddressMatchList.Element {
    /// Reads `10.0.0.0/8`, or `!10.0.0.0/8` to exclude it; `any`, and `none` for the opposite.
    package init?(_ text: some StringProtocol) {
        let isNegated = text.hasPrefix("!")
        let network = text.dropFirst(isNegated ? 1 : 0)
        guard let pattern = AddressPattern(network == "none" ? "any" : network) else { return nil }
        self.init(pattern, isNegated: isNegated != (network == "none"))
    }
}
