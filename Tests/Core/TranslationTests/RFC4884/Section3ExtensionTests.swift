// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

/// RFC 4884 §3 and §4: extensions behind the quoted packet, and the length attribute that says where they are.
@Suite struct RFC4884Section3Tests {
    /// An ICMPv4 error with `length` in words of 32 bits.
    static func four(_ length: UInt32, _ quote: [UInt8], _ extensions: [UInt8]) -> [UInt8] {
        icmp(3, 3, rest: length << 16, quote + extensions)
    }
    /// An ICMPv6 error with `length` in words of 64 bits.
    static func six(_ length: UInt32, _ quote: [UInt8], _ extensions: [UInt8]) -> [UInt8] {
        icmp(1, 4, rest: length << 24, quote + extensions)
    }
    static func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }
    /// Quoted UDP packets with `length` octets of data.
    static func quote4(_ length: Int) -> [UInt8] { quoted4.packet(17, udp(1, 2, payload(length))) }
    static func quote6(_ length: Int) -> [UInt8] { quoted6.packet(17, udp(1, 2, payload(length))) }

    static func expect6to4(_ six: [UInt8], becomes four: [UInt8], _ location: SourceLocation = #_sourceLocation) throws
    {
        #expect(
            try translateError6(IPv6Datagram().packet(58, six)) == .packet(translatedError4.packet(1, four)),
            sourceLocation: location)
    }
    static func expect4to6(_ four: [UInt8], becomes six: [UInt8], _ location: SourceLocation = #_sourceLocation) throws
    {
        #expect(
            try translateError4(IPv4Datagram().packet(1, four)) == .packet(translatedError6.packet(58, six)),
            sourceLocation: location)
    }

    @Test func `the length attribute is adjusted`() throws {
        try Self.expect6to4(
            Self.six(19, Self.quote6(104), payload(20)), becomes: Self.four(33, Self.quote4(104), payload(20)))
        try Self.expect4to6(
            Self.four(33, Self.quote4(104), payload(20)), becomes: Self.six(19, Self.quote6(104), payload(20)))
    }

    @Test func `a quote below 128 octets is padded with zeros`() throws {
        try Self.expect6to4(
            Self.six(16, Self.quote6(74) + Self.zeros(6), payload(20)),
            becomes: Self.four(32, Self.quote4(74) + Self.zeros(26), payload(20)))
        try Self.expect6to4(
            Self.six(6, Self.quote6(0), payload(40)),
            becomes: Self.four(32, Self.quote4(0) + Self.zeros(100), payload(40)))
        try Self.expect4to6(
            Self.four(7, Self.quote4(0), payload(40)),
            becomes: Self.six(16, Self.quote6(0) + Self.zeros(80), payload(40)))
    }

    @Test func `a quote is cut to its unit`() throws {
        try Self.expect4to6(
            Self.four(32, Self.quote4(98) + Self.zeros(2), payload(20)),
            becomes: Self.six(18, Array(Self.quote6(98)[..<144]), payload(20)))
        try Self.expect4to6(
            Self.four(32, Self.quote4(100), payload(20)),
            becomes: Self.six(18, Array(Self.quote6(100)[..<144]), payload(20)))
    }

    @Test(arguments: [480, 488, 1144])
    func `the quote yields to the extensions`(length: Int) throws {
        try Self.expect6to4(
            Self.six(UInt32(48 + length) / 8, Self.quote6(length), payload(40)),
            becomes: Self.four(127, Array(Self.quote4(length)[..<508]), payload(40)))
    }

    @Test func `the quote yields to the extensions in IPv6`() throws {
        try Self.expect4to6(
            Self.four(143, Self.quote4(544), payload(640)), becomes: Self.six(74, Self.quote6(544), payload(640)))
        try Self.expect4to6(
            Self.four(145, Self.quote4(552), payload(640)),
            becomes: Self.six(74, Array(Self.quote6(552)[..<592]), payload(640)))
        try Self.expect4to6(
            Self.four(255, Self.quote4(992), payload(200)),
            becomes: Self.six(129, Array(Self.quote6(992)[..<1032]), payload(200)))
        try Self.expect4to6(
            Self.four(255, Self.quote4(992), payload(1104)),
            becomes: Self.six(16, Array(Self.quote6(992)[..<128]), payload(1104)))
    }

    @Test func `extensions that leave no 128 octets are left out whole`() throws {
        try Self.expect6to4(
            Self.six(16, Self.quote6(80), payload(420)),
            becomes: Self.four(32, Self.quote4(80) + Self.zeros(20), payload(420)))
        try Self.expect6to4(Self.six(16, Self.quote6(80), payload(421)), becomes: icmp(3, 3, Self.quote4(80)))
        try Self.expect6to4(
            Self.six(72, Self.quote6(528), payload(521)), becomes: icmp(3, 3, Array(Self.quote4(528)[..<548])))
        try Self.expect4to6(Self.four(32, Self.quote4(100), payload(1105)), becomes: icmp(1, 4, Self.quote6(100)))
        try Self.expect4to6(Self.four(255, Self.quote4(992), payload(1105)), becomes: icmp(1, 4, Self.quote6(992)))
    }

    @Test func `a type without a length attribute loses the extensions`() throws {
        // ICMPv6 Parameter Problem has none (RFC 4884 §4).
        let four = icmp(12, 0, rest: 8 << 24 | 32 << 16, Self.quote4(100) + payload(20))
        try Self.expect4to6(four, becomes: icmp(4, 0, rest: 7, Self.quote6(100)))
        // Nor has Packet Too Big, so that nothing there is taken for one.
        try Self.expect6to4(
            icmp(2, 0, rest: 0x0100_0000, Self.quote6(100)), becomes: icmp(3, 4, rest: 1480, Self.quote4(100)))
    }

    @Test func `a length attribute beyond the end says nothing`() throws {
        try Self.expect4to6(Self.four(255, Self.quote4(50), []), becomes: icmp(1, 4, Self.quote6(50)))
        try Self.expect6to4(Self.six(255, Self.quote6(50), []), becomes: icmp(3, 3, Self.quote4(50)))
    }
}
