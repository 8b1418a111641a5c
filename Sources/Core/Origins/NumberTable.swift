// SPDX-License-Identifier: Apache-2.0
import Wire

/// Addresses by four of their octets, for a number that slides along binary data.
struct NumberTable: Sendable {
    /// An address with a number.
    struct Entry: Sendable {
        var address: IPAddress
        /// Octets of the address up to the end of the number.
        var end: Int
    }

    /// IPv4 addresses in the order of the network, and in that of the machines concerned, which is the other.
    private var byNumber: [UInt32: [Entry]] = [:]
    /// By the upper half of the number.
    private var filter = [Bool](repeating: false, count: 65_536)

    init(_ addresses: [IPAddress]) {
        for address in addresses where Self.isTelling(address) {
            switch address {
            case .ipv4(let ipv4):
                add(ipv4.bits, Entry(address: address, end: 4))
                add(ipv4.bits.byteSwapped, Entry(address: address, end: 4))
            case .ipv6:
                let (number, end) = Self.mostTelling(address.octets)
                add(number, Entry(address: address, end: end))
            }
        }
    }

    private mutating func add(_ number: UInt32, _ entry: Entry) {
        byNumber[number, default: []].append(entry)
        filter[Int(number >> 16)] = true
    }

    /// The four octets with the fewest zeros, the last of equals: an address under a short Pref64 ends with zeros, which are everywhere.
    private static func mostTelling(_ octets: [UInt8]) -> (number: UInt32, end: Int) {
        let ends = (4...octets.count).reversed()
        func zeros(_ end: Int) -> Int { octets[end - 4..<end].count { $0 == 0 } }
        let end = ends.min { zeros($0) < zeros($1) } ?? octets.count
        return (octets[end - 4..<end].reduce(0) { $0 << 8 | UInt32($1) }, end)
    }

    /// False of nearly every number that none of them has.
    func mayHave(_ number: UInt32) -> Bool { filter[Int(number >> 16)] }

    func entries(_ number: UInt32) -> [Entry] { byNumber[number, default: []] }

    /// Zeros, and the same octet again and again, are everywhere in binary data.
    private static func isTelling(_ address: IPAddress) -> Bool {
        guard address.ipv4 != nil else { return true }
        let octets = address.octets
        return octets.count { $0 == 0 } < 2 && Set(octets).count > 2
    }
}
