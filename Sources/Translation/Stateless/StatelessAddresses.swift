public import Wire

/// How addresses stand for each other without state: by explicit mappings first, then under a Pref64 (RFC 7757 §3, RFC 6052).
public struct StatelessAddresses: Sendable {
    public var mappings: ExplicitAddressMappingTable
    public var prefix: Pref64?
    /// Non-global IPv4 addresses that the well-known prefix may carry all the same.
    public var exemptIPv4: [IPv4Prefix]
    /// RFC 6791: IPv4 addresses for the sources of ICMPv6 errors that have no counterpart of their own, such as routers on the
    /// way. Empty: such errors are dropped.
    public var errorSources: [IPv4Address]

    public init(
        mappings: ExplicitAddressMappingTable = ExplicitAddressMappingTable(), prefix: Pref64? = nil,
        exemptIPv4: [IPv4Prefix] = [], errorSources: [IPv4Address] = []
    ) {
        self.mappings = mappings
        self.prefix = prefix
        self.exemptIPv4 = exemptIPv4
        self.errorSources = errorSources
    }

    func ipv4Address(of address: IPv6Address) throws(Refusal) -> IPv4Address {
        if let mapped = mappings.ipv4Address(of: address) { return mapped }
        guard let prefix, let embedded = prefix.extract(address) else {
            throw Refusal(.noAddressMapping, answering: .administrativelyProhibited)
        }
        guard mayCarry(embedded) else { throw Refusal(.nonGlobalIPv4, answering: .administrativelyProhibited) }
        return embedded
    }

    func ipv6Address(of address: IPv4Address, usingMappings: Bool = true) throws(Refusal) -> IPv6Address {
        if usingMappings, let mapped = mappings.ipv6Address(of: address) { return mapped }
        guard let prefix else {
            throw Refusal(.noAddressMapping, answering: .communicationAdministrativelyProhibited)
        }
        guard mayCarry(address) else {
            throw Refusal(.nonGlobalIPv4, answering: .communicationAdministrativelyProhibited)
        }
        return prefix.embed(address)
    }

    /// RFC 7757 §4.2.2: under the Pref64, the destination stands for an IPv4 address that is itself mapped to IPv6.
    func isHairpin(to destination: IPv6Address) -> Bool {
        guard !mappings.isEmpty, mappings.ipv4Address(of: destination) == nil,
            let embedded = prefix?.extract(destination)
        else { return false }
        return mappings.ipv6Address(of: embedded) != nil
    }

    /// The source of an ICMPv4 error whose ICMPv6 source is `address`. The same router always gets the same one.
    func ipv4ErrorSource(of address: IPv6Address) throws(Refusal) -> IPv4Address {
        if let own = try? ipv4Address(of: address) { return own }
        guard !errorSources.isEmpty else { throw Refusal(.noAddressMapping) }
        var sum = InternetChecksum()
        sum.add(address)
        return errorSources[Int(sum.folded) % errorSources.count]
    }

    /// RFC 6052 §3.1: "The Well-Known Prefix MUST NOT be used to represent non-global IPv4 addresses".
    private func mayCarry(_ address: IPv4Address) -> Bool {
        guard let prefix, prefix.isWellKnown else { return true }
        return address.isGlobal || exemptIPv4.contains { $0.contains(address) }
    }
}
