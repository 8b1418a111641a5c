public import DNSWire

/// A set of names, each standing for itself and everything below it.
public enum NameSet: Hashable, Sendable {
    case all
    case below([DomainName])

    public static let none = NameSet.below([])

    public func contains(_ name: DomainName) -> Bool {
        switch self {
        case .all: true
        case .below(let ancestors): ancestors.contains(where: name.isSubdomain)
        }
    }
}
