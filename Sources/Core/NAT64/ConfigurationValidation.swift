// SPDX-License-Identifier: Apache-2.0
import Translation
import Wire

extension NAT64Configuration {
    /// Throws for the first setting that a NAT64 could not work with.
    func validate() throws(ConfigurationError) {
        try validatePrefixes()
        try validatePool()
        try validateLifetimes()
        try validateLimits()
        try validateStaticBindings()
    }

    private func validatePrefixes() throws(ConfigurationError) {
        if prefixes.isEmpty { throw .noPrefix }
        if prefixes.count > Limits.maximumPrefixes {
            throw .tooManyPrefixes(prefixes.count, maximum: Limits.maximumPrefixes)
        }
        for (index, one) in prefixes.enumerated() {
            for other in prefixes[..<index] {
                let (a, b) = (one.prefix, other.prefix)
                if a.contains(b.address) || b.contains(a.address) { throw .overlappingPrefixes(b, a) }
            }
        }
    }

    private func validatePool() throws(ConfigurationError) {
        if pool.isEmpty { throw .emptyPool }
        if pool.count > Limits.maximumPoolAddresses {
            throw .poolTooLarge(pool.count, maximum: Limits.maximumPoolAddresses)
        }
        var seen: Set<IPv4Address> = []
        for address in pool where !seen.insert(address).inserted { throw .duplicatePoolAddress(address) }
    }

    private func validateLifetimes() throws(ConfigurationError) {
        for (lifetime, minimum) in zip(lifetimes.named, Lifetimes.minimum.named) {
            let least = allowsShortLifetimes ? min(minimum.duration, .milliseconds(1)) : minimum.duration
            if lifetime.duration < least {
                throw .lifetimeTooShort(name: lifetime.name, given: lifetime.duration, least: least)
            }
        }
    }

    private func validateLimits() throws(ConfigurationError) {
        let counts = [
            ("sessions", limits.sessions, Limits.maximum), ("bindings", limits.bindings, Limits.maximum),
            ("bindingsPerHost", limits.bindingsPerHost ?? 0, Limits.maximum),
            ("sessionsPerHost", limits.sessionsPerHost ?? 0, Limits.maximum),
            ("storedSYNs", limits.storedSYNs, Limits.maximumStoredSYNs),
            ("fragmentedDatagrams", limits.fragmentedDatagrams, Limits.maximum),
            ("fragmentOctets", limits.fragmentOctets, Limits.maximum),
        ]
        for (name, given, maximum) in counts where !(0...maximum).contains(given) {
            throw .limitOutOfRange(name: name, given: given)
        }
    }

    private func validateStaticBindings() throws(ConfigurationError) {
        let pool = Set(pool)
        var counts: [TransportProtocol: Int] = [:]
        var hosts: Set<StaticBinding> = []
        var mapped: Set<StaticBinding> = []
        for binding in staticBindings {
            if !pool.contains(binding.mapped.address) { throw .staticBindingOutsidePool(binding) }
            if let ports = poolPorts[binding.mapped.address], !ports.contains(binding.mapped.port) {
                throw .staticBindingOutsidePorts(binding, ports)
            }
            for prefix in prefixes where prefix.contains(binding.host.address) {
                throw .staticBindingInsidePref64(binding)
            }
            if binding.transport != .icmp && binding.mapped.port == 0 { throw .staticBindingOnPortZero(binding) }

            // One set for each half of a binding: the other half is zeroed.
            var host = binding
            host.mapped = TransportAddress4(IPv4Address(bits: 0), 0)
            var address = binding
            address.host = TransportAddress6(.unspecified, 0)
            if !hosts.insert(host).inserted || !mapped.insert(address).inserted {
                throw .conflictingStaticBinding(binding)
            }
            counts[binding.transport, default: 0] += 1
            if counts[binding.transport, default: 0] > limits.bindings { throw .staticBindingsExceedLimits(binding) }
        }
    }
}
