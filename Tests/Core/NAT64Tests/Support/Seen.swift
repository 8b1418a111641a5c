import Testing
import Wire

/// A packet that came out, taken apart without the help of Wire's layouts, and verified on the way: version, lengths, the IPv4
/// header's checksum, and, of a whole packet, the transport's checksum.
struct Seen {
    var octets: [UInt8]
    /// What is left for whoever sends it.
    var offload = Offload.none
    var source = ""
    var destination = ""
    var transport: UInt8 = 0
    var hopLimit: UInt8 = 0
    var dontFragment = false
    var isFragment = false
    var fragmentOffset = 0
    var moreFragments = false
    var identification: UInt32 = 0
    /// Everything above IP.
    var upper: [UInt8] = []

    /// What is wrong with the packet as such.
    private(set) var problem: String?
    /// The transport's checksum is wrong, or missing from UDP.
    private(set) var hasWrongChecksum = false

    init(_ octets: [UInt8]) {
        self.octets = octets
        switch octets.first.map({ $0 >> 4 }) {
        case 4 where octets.count >= 20: readIPv4()
        case 6 where octets.count >= 40: readIPv6()
        default: problem = "neither IPv4 nor IPv6"
        }
    }

    private func number(_ offset: Int, _ count: Int) -> Int {
        octets[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private mutating func readIPv4() {
        source = octets[12..<16].map(String.init).joined(separator: ".")
        destination = octets[16..<20].map(String.init).joined(separator: ".")
        if octets[0] & 0xf != 5 { problem = "options" }
        if number(2, 2) != octets.count { problem = "total length \(number(2, 2)) of \(octets.count)" }
        if slowChecksum(Array(octets[..<20])) != 0 { problem = "wrong header checksum" }
        identification = UInt32(number(4, 2))
        dontFragment = octets[6] & 0x40 != 0
        moreFragments = octets[6] & 0x20 != 0
        fragmentOffset = (number(6, 2) & 0x1fff) * 8
        isFragment = moreFragments || fragmentOffset > 0
        hopLimit = octets[8]
        transport = octets[9]
        upper = Array(octets[20...])
        let ends = Array(octets[12..<20])
        let transport = transport
        verify { transport == 1 ? [] : ends + [0, transport] + NAT64Tests.octets(UInt16($0)) }
    }

    private mutating func readIPv6() {
        func text(_ offset: Int) -> String {
            IPv6Address(bits: octets[offset..<offset + 16].reduce(0) { $0 << 8 | UInt128($1) }).description
        }
        source = text(8)
        destination = text(24)
        if number(4, 2) != octets.count - 40 { problem = "payload length \(number(4, 2)) of \(octets.count - 40)" }
        hopLimit = octets[7]
        transport = octets[6]
        upper = Array(octets[40...])
        if transport == 44 {
            guard octets.count >= 48 else {
                problem = "truncated fragment header"
                return
            }
            transport = octets[40]
            moreFragments = octets[43] & 1 != 0
            fragmentOffset = number(42, 2) & 0xfff8
            identification = UInt32(number(44, 4))
            isFragment = true
            upper = Array(octets[48...])
        }
        let ends = Array(octets[8..<40])
        let transport = transport
        verify { ends + NAT64Tests.octets(UInt32($0)) + [0, 0, 0, transport] }
    }

    /// `pseudo` makes the pseudo-header for a length of the upper layer.
    private mutating func verify(pseudo: (Int) -> [UInt8]) {
        guard !isFragment, [1, 6, 17, 58].contains(transport) else { return }
        var summed = upper
        if transport == 17, upper.count >= 8 {
            // Octets behind the end that UDP's own length gives belong to nobody (RFC 768).
            summed = Array(upper.prefix(max(8, Int(upper16(4)))))
        }
        let isUDPWithout = transport == 17 && upper16(6) == 0
        hasWrongChecksum = isUDPWithout || slowChecksum(pseudo(summed.count) + summed) != 0
    }

    // MARK: - Above IP

    private func upper16(_ offset: Int) -> UInt16 {
        offset + 1 < upper.count ? UInt16(upper[offset]) << 8 | UInt16(upper[offset + 1]) : 0
    }

    var sourcePort: UInt16 { upper16(0) }
    var destinationPort: UInt16 { upper16(2) }
    /// The payload of UDP.
    var payload: [UInt8] { Array(upper.dropFirst(8)) }
    var flags: TCPFlags { TCPFlags(rawValue: upper.count > 13 ? upper[13] : 0) }
    var type: UInt8 { upper.first ?? 0 }
    var code: UInt8 { upper.count > 1 ? upper[1] : 0 }
    var identifier: UInt16 { upper16(4) }
    /// The packet that an ICMP error quotes.
    var quoted: [UInt8] { Array(upper.dropFirst(8)) }

    /// "198.51.100.1:53"
    var from: String { "\(bracketed(source)):\(sourcePort)" }
    var to: String { "\(bracketed(destination)):\(destinationPort)" }

    private func bracketed(_ address: String) -> String { address.contains(":") ? "[\(address)]" : address }
}
