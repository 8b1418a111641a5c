// SPDX-License-Identifier: Apache-2.0
package import DNSWire
package import Wire

/// The name by which clients discover a DNS64 and its prefix (RFC 7050 §2.2). A DNS64 answers it without asking another server
/// (RFC 8880 §7.1), as it does the reverse names of its two addresses (§7.2).
package enum IPv4OnlyName {
    package static let addresses = [IPv4Address(192, 0, 0, 170), IPv4Address(192, 0, 0, 171)]

    /// All data below the special-use names: other types have no data, names below do not exist.
    static let store = RecordStore(
        addresses.map { ResourceRecord(name: name, ttl: ttl, data: .a($0)) }
            + addresses.map { ResourceRecord(name: ReverseName.name(of: $0), ttl: ttl, data: .ptr(name)) },
        zones: [name] + addresses.map(ReverseName.name), negativeTTL: ttl, source: .specialUse)

    package static let name = DomainName(["ipv4only", "arpa"])

    /// One day: the data never change.
    private static let ttl: UInt32 = 86_400
}
