// SPDX-License-Identifier: Apache-2.0
import Testing
import Wire

@testable import Translation

@Suite struct SpecialPurposeTests {
    /// Both sides of every border, and of every place where one could be.
    @Test func `the function and the registry say the same of every IPv4 address`() {
        let registry = SpecialPurpose<IPv4Prefix>.registry
        var bits: Set<UInt32> = [0, ~0]
        for high in UInt32(0)...0xffff { bits.formUnion([high << 16, high << 16 | 0xffff]) }
        for low in UInt32(0)...0xffff { bits.insert(0xc000_0000 | low) }
        for prefix in registry.map(\.prefix) {
            let last = prefix.address.bits | (prefix.length == 32 ? 0 : ~0 >> UInt32(prefix.length))
            bits.formUnion([prefix.address.bits, prefix.address.bits &- 1, last, last &+ 1])
        }
        for address in bits.map({ IPv4Address(bits: $0) }) {
            let scope = registry.first { $0.prefix.contains(address) }?.scope ?? .global
            #expect(scope == address.scope, "\(address)")
        }
    }

    @Test func `an illegal IPv6 source is what no router forwards, but for IPv4-mapped addresses`() {
        for row in SpecialPurpose<IPv6Prefix>.registry where row.prefix.length < 96 || row.prefix.length == 128 {
            #expect(row.prefix.address.isIllegalSource == (row.scope == .notForwarded), "\(row.prefix)")
        }
    }

    @Test func `no two rows of the IPv6 registry hold the same address`() {
        let prefixes = SpecialPurpose<IPv6Prefix>.registry.map(\.prefix)
        for prefix in prefixes {
            #expect(prefixes.count { $0.contains(prefix.address) } == 1, "\(prefix)")
        }
    }
}
