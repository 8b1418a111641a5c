// SPDX-License-Identifier: Apache-2.0
import Wire

/// The IPv4 addresses of the NAT64 (RFC 6146 §3.1), each with its index in the configuration.
struct AddressPool: ~Copyable {
    private let addresses: [IPv4Address]
    private var index = HashIndex()
    private let hash: KeyedHash

    init(_ addresses: [IPv4Address], hash: KeyedHash) {
        self.addresses = addresses
        self.hash = hash
        for (place, address) in addresses.enumerated() {
            index.insert(UInt32(truncatingIfNeeded: place), hash: hash(UInt64(address.bits), 0))
        }
    }

    var count: Int { addresses.count }

    subscript(_ place: Int) -> IPv4Address { addresses[place] }

    func place(of address: IPv4Address) -> UInt16? {
        index.find(hash(UInt64(address.bits), 0)) { addresses[Int($0)] == address }
            .map { UInt16(truncatingIfNeeded: $0) }
    }

    @inline(always)
    func contains(_ address: IPv4Address) -> Bool { place(of: address) != nil }
}
