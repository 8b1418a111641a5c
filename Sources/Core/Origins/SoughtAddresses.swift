// SPDX-License-Identifier: Apache-2.0
package import Translation
package import Wire

/// The addresses that a client used, and the forms that each may have at its origin.
package struct SoughtAddresses: Sendable {
    /// Further ones are not searched for.
    package static let maximum = 64

    private let prefixes: [Pref64]
    /// In the order in which they were added.
    package private(set) var all: [IPAddress] = []
    private var known: Set<IPAddress> = []

    /// - Parameter prefixes: the NAT64's; an address under one of them may be an IPv4 address at its origin.
    package init(_ addresses: some Sequence<IPAddress>, under prefixes: [Pref64] = []) {
        self.prefixes = prefixes
        for address in addresses where !address.staysInMachine {
            for form in forms(of: address) where all.count < Self.maximum && known.insert(form).inserted {
                all.append(form)
            }
        }
    }

    package func contains(_ address: IPAddress) -> Bool { known.contains(address) }

    /// The address itself, and the IPv4 address in it if it has one.
    package func forms(of address: IPAddress) -> [IPAddress] {
        guard case .ipv6(let ipv6) = address else { return [address] }
        if let mapped = ipv6.mapped { return [.ipv4(mapped)] }
        return [address] + prefixes.compactMap { $0.extract(ipv6) }.prefix(1).map(IPAddress.ipv4)
    }
}

extension IPv6Address {
    /// The IPv4 address of an IPv4-mapped one (RFC 4291 §2.5.5.2).
    var mapped: IPv4Address? {
        bits >> 32 == 0xffff ? IPv4Address(bits: UInt32(truncatingIfNeeded: bits)) : nil
    }
}

extension IPAddress {
    /// Loopback and unspecified addresses: very frequent in files, and never on another machine.
    fileprivate var staysInMachine: Bool {
        switch self {
        case .ipv4(let address): [0, 127].contains(address.bits >> 24) || address.bits == .max
        case .ipv6(let address): address.bits <= 1 || address.mapped.map { IPAddress.ipv4($0).staysInMachine } ?? false
        }
    }
}
