// SPDX-License-Identifier: Apache-2.0
public import Wire

/// The explicit address mapping table, EAMT (RFC 7757 §3): the longest matching prefix decides, in each direction independently.
public struct ExplicitAddressMappingTable: Sendable {
    /// Why a mapping cannot be added to the others.
    public enum Conflict: Error, Hashable, Sendable {
        /// Prefixes may contain each other, but not be equal.
        case duplicateIPv4Prefix(IPv4Prefix)
        case duplicateIPv6Prefix(IPv6Prefix)
    }

    private var byIPv4: [IPv4Prefix: ExplicitAddressMapping] = [:]
    private var byIPv6: [IPv6Prefix: ExplicitAddressMapping] = [:]
    /// The lengths in use, longest first: a look-up tries one prefix of each.
    private var ipv4Lengths: [Int] = []
    private var ipv6Lengths: [Int] = []

    public init() {}

    public init(_ mappings: some Sequence<ExplicitAddressMapping>) throws(Conflict) {
        for mapping in mappings { try add(mapping) }
    }

    public var isEmpty: Bool { byIPv4.isEmpty }

    private mutating func add(_ mapping: ExplicitAddressMapping) throws(Conflict) {
        guard byIPv4[mapping.ipv4] == nil else { throw .duplicateIPv4Prefix(mapping.ipv4) }
        guard byIPv6[mapping.ipv6] == nil else { throw .duplicateIPv6Prefix(mapping.ipv6) }
        byIPv4[mapping.ipv4] = mapping
        byIPv6[mapping.ipv6] = mapping
        ipv4Lengths = Set(byIPv4.keys.map(\.length)).sorted(by: >)
        ipv6Lengths = Set(byIPv6.keys.map(\.length)).sorted(by: >)
    }

    /// `nil` if no mapping covers `address`.
    public func ipv6Address(of address: IPv4Address) -> IPv6Address? {
        for length in ipv4Lengths {
            if let prefix = IPv4Prefix(address, length: length), let mapping = byIPv4[prefix] {
                return mapping.ipv6Address(of: address)
            }
        }
        return nil
    }

    /// `nil` if no mapping covers `address`.
    public func ipv4Address(of address: IPv6Address) -> IPv4Address? {
        for length in ipv6Lengths {
            if let prefix = IPv6Prefix(address, length: length), let mapping = byIPv6[prefix] {
                return mapping.ipv4Address(of: address)
            }
        }
        return nil
    }
}

extension ExplicitAddressMappingTable.Conflict: CustomStringConvertible {
    public var description: String {
        switch self {
        case .duplicateIPv4Prefix(let prefix): "two explicit address mappings for \(prefix)"
        case .duplicateIPv6Prefix(let prefix): "two explicit address mappings for \(prefix)"
        }
    }
}
