import Wire

/// The checksum as RFC 1071 §1 describes it, word by word: the twin against which everything emitted is checked.
func slowChecksum(_ octets: [UInt8]) -> UInt16 {
    var sum = 0
    for index in stride(from: 0, to: octets.count, by: 2) {
        sum += Int(octets[index]) << 8 | (index + 1 < octets.count ? Int(octets[index + 1]) : 0)
    }
    while sum > 0xffff { sum = (sum & 0xffff) + (sum >> 16) }
    return UInt16(~sum & 0xffff)
}

func octets(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xff)] }

func octets(_ value: UInt32) -> [UInt8] {
    octets(UInt16(value >> 16)) + octets(UInt16(truncatingIfNeeded: value))
}

func octets(_ address: IPv4Address) -> [UInt8] { octets(address.bits) }

func octets(_ address: IPv6Address) -> [UInt8] { (0..<16).map { address.octet($0) } }

func pseudoHeader(_ source: IPv4Address, _ destination: IPv4Address, _ transport: UInt8, _ length: Int) -> [UInt8] {
    octets(source) + octets(destination) + [0, transport] + octets(UInt16(truncatingIfNeeded: length))
}

func pseudoHeader(_ source: IPv6Address, _ destination: IPv6Address, _ transport: UInt8, _ length: Int) -> [UInt8] {
    octets(source) + octets(destination) + octets(UInt32(length)) + [0, 0, 0, transport]
}
