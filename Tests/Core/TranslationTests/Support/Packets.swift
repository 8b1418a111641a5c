// SPDX-License-Identifier: Apache-2.0
import TestPackets

// Payloads of IP for the suites of RFC 7915, as octets without a checksum.

/// `count` octets that all differ from their neighbours.
func payload(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + 1) } }

func udp(_ source: UInt16, _ destination: UInt16, _ data: [UInt8]) -> [UInt8] {
    UpperLayer.udp(source, destination, data).octets
}

func tcp(
    _ source: UInt16, _ destination: UInt16, sequence: UInt32 = 1000, flags: UInt8 = 0x10, options: [UInt8] = [],
    _ data: [UInt8]
) -> [UInt8] {
    UpperLayer.tcp(
        source, destination, TCPFlags(rawValue: flags), sequence: sequence, acknowledgment: 2000, window: 4096,
        options: options, payload: data
    ).octets
}

func icmp(_ type: UInt8, _ code: UInt8, rest: UInt32 = 0, _ data: [UInt8] = []) -> [UInt8] {
    [type, code, 0, 0] + bigEndian(rest) + data
}

func echo(_ type: UInt8, identifier: UInt16, _ data: [UInt8]) -> [UInt8] {
    icmp(type, 0, rest: UInt32(identifier) << 16 | 1, data)
}
