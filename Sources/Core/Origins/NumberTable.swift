// SPDX-License-Identifier: Apache-2.0
import Wire

/// Addresses by the four octets with which they end, for a number that slides along binary data.
struct NumberTable: Sendable {
    /// IPv4 addresses in the order of the network, and in that of the machines concerned, which is the other.
    private var byNumber: [UInt32: [IPAddress]] = [:]
    /// By the upper half of the number.
    private var filter = [Bool](repeating: false, count: 65_536)

    init(_ addresses: [IPAddress]) {
        for address in addresses where Self.isTelling(address) {
            let number =
                switch address {
                case .ipv4(let address): address.bits
                case .ipv6(let address): UInt32(truncatingIfNeeded: address.bits)
                }
            byNumber[number, default: []].append(address)
            filter[Int(number >> 16)] = true
            if address.ipv4 != nil {
                byNumber[number.byteSwapped, default: []].append(address)
                filter[Int(number.byteSwapped >> 16)] = true
            }
        }
    }

    /// False of nearly every number that none of them has.
    func mayHave(_ number: UInt32) -> Bool { filter[Int(number >> 16)] }

    func addresses(_ number: UInt32) -> [IPAddress] { byNumber[number, default: []] }

    /// Zeros, and the same octet again and again, are everywhere in binary data.
    private static func isTelling(_ address: IPAddress) -> Bool {
        guard address.ipv4 != nil else { return true }
        let octets = address.octets
        return octets.count { $0 == 0 } < 2 && Set(octets).count > 2
    }
}
