// SPDX-License-Identifier: Apache-2.0
import Evidence
import Testing
import Wire

@testable import CallTracing

@Suite struct `A socket address in a program's memory` {
    @Test func `is an IPv4 address and a port`() {
        let octets: [UInt8] = [2, 0, 0x1f, 0x90, 198, 51, 100, 7] + Array(repeating: 0, count: 8)
        #expect(CalledAddress(octets, length: 16) == .ip(.ipv4(IPv4Address(198, 51, 100, 7)), port: 8080))
    }

    @Test func `is an IPv6 address even where its length is said to be that of an IPv4 address`() {
        let address = IPv6Address("64:ff9b::c633:6407")!
        let octets: [UInt8] =
            [10, 0, 0, 7, 0, 0, 0, 0] + (0..<16).map { UInt8(truncatingIfNeeded: address.bits >> (120 - 8 * $0)) }
        #expect(CalledAddress(octets + [0, 0, 0, 0], length: 16) == .ip(.ipv6(address), port: 7))
    }

    @Test func `is a path, or an abstract name`() {
        #expect(CalledAddress([1, 0] + Array("/run/x\0rest".utf8), length: 13) == .unix("/run/x"))
        #expect(CalledAddress([1, 0, 0] + Array("name".utf8) + [9], length: 7) == .unix("@name"))
        #expect(CalledAddress([1, 0], length: 2) == .unix(""))
    }

    @Test(arguments: 0..<28) func `of which too little is there traps nowhere`(count: Int) {
        for family: UInt8 in [0, 1, 2, 10, 16, 255] {
            let octets = Array(([family] + [UInt8](repeating: 0xa5, count: 28)).prefix(count))
            for length in [-1, 0, 1, 2, 16, 28, 1000] { _ = CalledAddress(octets, length: length) }
        }
    }
}
