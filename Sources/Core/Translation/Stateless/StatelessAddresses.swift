// SPDX-License-Identifier: Apache-2.0
public import Wire

/// The stateless mapping of addresses: by explicit mappings first, then under a Pref64 (RFC 7757 §3, RFC 6052). Illegal addresses have no
/// counterpart (`AddressScope`).
public struct StatelessAddresses: Sendable {
    public var mappings: ExplicitAddressMappingTable
    public var prefix: Pref64?
    /// Non-global IPv4 addresses that the well-known prefix may carry nevertheless.
    public var exemptIPv4: [IPv4Prefix]
    public var errorSources: ErrorSources

    public init(
        mappings: ExplicitAddressMappingTable = ExplicitAddressMappingTable(), prefix: Pref64? = nil,
        exemptIPv4: [IPv4Prefix] = [], errorSources: ErrorSources = ErrorSources()
    ) {
        self.mappings = mappings
        self.prefix = prefix
        self.exemptIPv4 = exemptIPv4
        self.errorSources = errorSources
    }

    /// The role of an address in a packet.
    enum Role {
        case source, destination

        var illegal: DropReason { self == .source ? .illegalSource : .illegalDestination }
    }

    func ipv4Address(of address: IPv6Address, as role: Role) throws(Refusal) -> IPv4Address {
        let mapped = mappings.ipv4Address(of: address)
        guard let ipv4 = mapped ?? prefix?.extract(address) else {
            throw Refusal(.noAddressMapping, answering: .administrativelyProhibited)
        }
        if mapped == nil && !mayCarry(ipv4) && (!ipv4.isIllegal || role == .destination && ipv4.isLinkLocal) {
            throw Refusal(.nonGlobalIPv4, answering: .administrativelyProhibited)
        }
        if ipv4.isIllegal { throw Refusal(role.illegal) }
        return ipv4
    }

    func ipv6Address(
        of address: IPv4Address, as role: Role, usingMappings: Bool = true
    ) throws(Refusal) -> IPv6Address {
        if address.isIllegal { throw Refusal(role.illegal) }
        if usingMappings, let mapped = mappings.ipv6Address(of: address) { return mapped }
        guard let prefix else {
            throw Refusal(.noAddressMapping, answering: .communicationAdministrativelyProhibited)
        }
        guard mayCarry(address) else {
            throw Refusal(.nonGlobalIPv4, answering: .communicationAdministrativelyProhibited)
        }
        return prefix.embed(address)
    }

    /// RFC 7757 §4.2.2: under the Pref64, the destination represents an IPv4 address that is itself mapped to IPv6.
    func isHairpin(to destination: IPv6Address) -> Bool {
        guard !mappings.isEmpty, mappings.ipv4Address(of: destination) == nil,
            let embedded = prefix?.extract(destination)
        else { return false }
        return mappings.ipv6Address(of: embedded) != nil
    }

    // MARK: - Sources of ICMP errors

    /// The source of an ICMPv4 error whose ICMPv6 source is `address`. A router without a counterpart borrows an address, because its
    /// Packet Too Big must arrive (RFC 6791 §1).
    func ipv4ErrorSource(of address: IPv6Address) throws(Refusal) -> IPv4Address {
        do throws(Refusal) {
            return try ipv4Address(of: address, as: .source)
        } catch {
            if error.reason == .illegalSource { throw error }
        }
        guard let borrowed = errorSources.ipv4(for: address) else { throw Refusal(.noAddressMapping) }
        return borrowed
    }

    /// The source of an ICMPv6 error whose ICMPv4 source is `address`. "The 'illegal' source address will be translated for the purpose of
    /// trouble shooting" (RFC 7915 §4.1), as far as the prefix may carry it. A link-local one is not forwarded (RFC 3927 §2.7, §7), but its
    /// error is, from a borrowed address.
    func ipv6ErrorSource(of address: IPv4Address, usingMappings: Bool) throws(Refusal) -> IPv6Address {
        if !address.isLinkLocal {
            if usingMappings, let mapped = mappings.ipv6Address(of: address) { return mapped }
            if let prefix, mayCarry(address) { return prefix.embed(address) }
        }
        guard let borrowed = errorSources.ipv6(for: address) else { throw Refusal(.noAddressMapping) }
        return borrowed
    }

    /// RFC 6052 §3.1: "The Well-Known Prefix MUST NOT be used to represent non-global IPv4 addresses".
    private func mayCarry(_ address: IPv4Address) -> Bool {
        guard let prefix, prefix.isWellKnown else { return true }
        return address.isGlobal || exemptIPv4.contains { $0.contains(address) }
    }
}
