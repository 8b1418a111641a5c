// SPDX-License-Identifier: Apache-2.0
import Wire

/// Finds addresses in binary data, by four of their octets.
///
/// Theory of operation. Four octets contain three overlapping pairs, one of which has an offset of 3n + 2. The search reads only those pairs; a
/// table of all pairs of all addresses rules out nearly every one of them.
struct NumberTable: Sendable {
    /// An address that contains a number.
    private struct Entry: Sendable {
        var address: IPAddress
        /// Octets of the address up to the end of the number.
        var end: Int
    }

    /// IPv4 addresses in network order, and in the reverse, the order of little-endian machines.
    private var byNumber: [UInt32: [Entry]] = [:]
    /// Whether two adjacent octets are in any of the numbers.
    private var pairs = [Bool](repeating: false, count: 65_536)

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
        for shift in [0, 8, 16] { pairs[Int(number >> shift & 0xffff)] = true }
    }

    /// The four octets with the fewest zeros, the last of several: an address under a short Pref64 ends with zeros, which are very
    /// frequent.
    private static func mostTelling(_ octets: [UInt8]) -> (number: UInt32, end: Int) {
        let ends = (4...octets.count).reversed()
        func zeros(_ end: Int) -> Int { octets[end - 4..<end].count { $0 == 0 } }
        let end = ends.min { zeros($0) < zeros($1) } ?? octets.count
        return (octets[end - 4..<end].reduce(0) { $0 << 8 | UInt32($1) }, end)
    }

    /// Calls `body` with every occurrence of every address.
    func forEachAddress(in octets: Span<UInt8>, _ body: (IPAddress, _ offset: Int) -> Void) {
        if byNumber.isEmpty || octets.count < 4 { return }
        let pairs = pairs.span
        var at = 2
        while at + 1 < octets.count {
            if pairs[Int(octets[at]) << 8 | Int(octets[at + 1])] {
                for start in at - 2...min(at, octets.count - 4) { look(at: start, in: octets, body) }
            }
            at += 3
        }
    }

    private func look(at start: Int, in octets: Span<UInt8>, _ body: (IPAddress, _ offset: Int) -> Void) {
        let number = (start..<start + 4).reduce(UInt32(0)) { $0 << 8 | UInt32(octets[$1]) }
        guard pairs[Int(number >> 16)], pairs[Int(number & 0xffff)], let entries = byNumber[number] else { return }
        for entry in entries {
            let offset = start + 4 - entry.end
            if offset >= 0, entry.address.ipv6 == nil || Self.has(entry.address, octets, at: offset) {
                body(entry.address, offset)
            }
        }
    }

    private static func has(_ address: IPAddress, _ octets: Span<UInt8>, at offset: Int) -> Bool {
        offset + 16 <= octets.count && zip(offset..., address.octets).allSatisfy { octets[$0] == $1 }
    }

    /// Whether it is distinctive: zeros and repetitions of one octet are very frequent in binary data.
    private static func isTelling(_ address: IPAddress) -> Bool {
        guard address.ipv4 != nil else { return true }
        let octets = address.octets
        return octets.count { $0 == 0 } < 2 && Set(octets).count > 2
    }
}
