// SPDX-License-Identifier: Apache-2.0
package import DNSWire

/// A set of names, each with all names below it.
package enum NameSet: Hashable, Sendable {
    case all
    case below([DomainName])

    package static let none = NameSet.below([])

    package func contains(_ name: DomainName) -> Bool {
        switch self {
        case .all: true
        case .below(let ancestors): ancestors.contains(where: name.isSubdomain)
        }
    }
}
