/// The internet checksum as RFC 1071 §4.1 writes it, word by word: the twin that the fast one is compared with.
func slowChecksum(_ octets: [UInt8]) -> UInt16 {
    var sum = 0
    for index in stride(from: 0, to: octets.count, by: 2) {
        sum += Int(octets[index]) << 8 | (index + 1 < octets.count ? Int(octets[index + 1]) : 0)
    }
    while sum > 0xffff { sum = (sum & 0xffff) + (sum >> 16) }
    return UInt16(sum ^ 0xffff)
}

func bigEndian(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xff)] }

func bigEndian(_ number: UInt32) -> [UInt8] {
    bigEndian(UInt16(number >> 16)) + bigEndian(UInt16(truncatingIfNeeded: number))
}

/// The pseudo-header of either family: what they sum is the same (RFC 8200 §8.1).
func pseudoHeader(_ source: [UInt8], _ destination: [UInt8], _ protocolNumber: UInt8, length: Int) -> [UInt8] {
    source + destination + bigEndian(UInt32(length)) + [0, 0, 0, protocolNumber]
}
