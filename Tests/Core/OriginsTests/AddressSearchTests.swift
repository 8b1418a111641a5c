// SPDX-License-Identifier: Apache-2.0
import EvidenceSupport
import Testing
import Translation
import Wire

@testable import Origins

@Suite struct AddressSearchTests {
    private static let address: IPAddress = "198.51.100.31"

    private func hit(
        _ octets: [UInt8], as contents: AddressSearch.Contents = .text, of address: IPAddress = Self.address
    ) -> AddressSearch.Hit? {
        AddressSearch(SoughtAddresses([address])).hits(in: octets.span, as: contents)[address]
    }

    @Test(arguments: [
        "198.51.100.31", "server = 198.51.100.31:80\n", "http://198.51.100.31/", "\"198.51.100.31\"",
        "(198.51.100.31).",
        "It is 198.51.100.31.", "tcp:198.51.100.31:80", "::ffff:198.51.100.31", "a 1.2.3.4.5 b 198.51.100.31",
    ])
    func `a dotted quad that stands by itself is surely the address`(_ text: String) {
        #expect(hit(Array(text.utf8))?.isCertain == true)
    }

    @Test(arguments: [
        "198.51.100.3", "198.51.100.310", "1198.51.100.31", "198.51.100.31.1", "198.51.100", "",
        "198.51.100.031",
    ])
    func `what only looks like it is not the address`(_ text: String) {
        #expect(hit(Array(text.utf8)) == nil)
    }

    @Test(arguments: [
        "2e00:2:0:cafe::1", "[2e00:2:0:cafe::1]:80", "2E00:0002:0000:CAFE:0:0:0:1", "2e00:2:0:cafe::0.0.0.1",
        "x 2e00:2:0:cafe::1.",
    ])
    func `an IPv6 address is found in each of its spellings`(_ text: String) {
        #expect(hit(Array(text.utf8), of: "2e00:2:0:cafe::1")?.isCertain == true)
    }

    @Test func `the place is the line and the offset`() {
        let hit = hit(Array("# a\nhost = x\naddress = 198.51.100.31\n198.51.100.31\n".utf8))
        #expect(hit == AddressSearch.Hit(offset: 23, line: 3, isCertain: true))
    }

    @Test func `four octets are probably the address, in either order`() {
        let network: [UInt8] = [0, 1, 198, 51, 100, 31, 9]
        #expect(hit(network, as: .data) == AddressSearch.Hit(offset: 2, isCertain: false))
        #expect(hit(network.reversed(), as: .data) == AddressSearch.Hit(offset: 1, isCertain: false))
        #expect(hit(network, as: .text) == nil)
        #expect(hit([10, 0, 0, 1], as: .data, of: "10.0.0.1") == nil)
    }

    @Test func `sixteen octets are surely the address`() {
        let address: IPAddress = "2e00:2:0:cafe::1"
        #expect(hit([7] + address.octets, as: .data, of: address)?.isCertain == true)
        #expect(hit(Array(address.octets.dropFirst()), as: .data, of: address) == nil)
        #expect(hit(Array(address.octets.dropLast()), as: .data, of: address) == nil)
    }

    /// Zeros are everywhere, so those at the end of such an address are no number to look for.
    @Test func `an address that ends with zeros is found among zeros`() {
        let address: IPAddress = "2e00:6432:a14:1e28::"
        let zeros = [UInt8](repeating: 0, count: 50)
        #expect(hit(zeros + address.octets + zeros, as: .data, of: address)?.offset == 50)
        #expect(hit(zeros, as: .data, of: address) == nil)
    }

    @Test func `a number in a source is probably the address`() {
        #expect(hit(Array("x = 3325256735;".utf8))?.isCertain == false)
        #expect(hit(Array("x = 0xC633641F;".utf8))?.isCertain == false)
        #expect(hit(Array("x = C633641F;".utf8)) == nil)
    }

    @Test func `strings of a program may stand side by side`() {
        let octets = Array("badface198.51.100.31deadbeef".utf8)
        #expect(hit(octets, as: .data)?.isCertain == false)
        #expect(hit(octets) == nil)
    }

    /// Go puts its strings side by side, in the order of their lengths.
    @Test func `one of the strings beside it may be an address of its own`() {
        #expect(hit(Array("127.0.0.1:53152587890625198.51.100.31762939453125".utf8), as: .data)?.isCertain == false)
        #expect(hit(Array("127.0.0.1:1198.51.100.3".utf8), as: .data) == nil)
        #expect(hit(Array("198.51.100.319:80".utf8), as: .data)?.isCertain == false)
        #expect(hit(Array("198.51.100.3:80".utf8), as: .data) == nil)
    }

    private func wide(_ text: String) -> [UInt8] { text.utf8.flatMap { [$0, 0] } }

    /// The heap of user strings of a .NET assembly (ECMA-335 §II.24.2.4).
    @Test func `UTF-16 of a program is text, with other strings on either side`() {
        #expect(hit([27] + wide("198.51.100.31") + [0, 1], as: .data)?.isCertain == true)
        #expect(hit([1, 0] + wide("http://198.51.100.31:80/x") + [1], as: .data)?.isCertain == true)
        #expect(hit(wide("198.51.100.31") + [27] + wide("198.51.100.9"), as: .data)?.offset == 0)
        #expect(hit(wide("198.51.100.3") + [7] + wide("1"), as: .data) == nil)
        #expect(hit(wide("198.51.100.310"), as: .data)?.isCertain == false)
        #expect(hit(wide("198.51.100.31")) == nil)
    }

    @Test func `a place that is sure goes before one that is not`() {
        let hit = hit([198, 51, 100, 31] + Array(" 198.51.100.31 ".utf8), as: .data)
        #expect(hit == AddressSearch.Hit(offset: 5, isCertain: true))
    }

    @Test func `an address behind the NAT64 is looked for as the IPv4 address, too`() {
        let search = AddressSearch(SoughtAddresses(["64:ff9b::c633:641f"], under: [.wellKnown]))
        #expect(search.hits(in: Array("198.51.100.31".utf8).span, as: .text)[Self.address]?.isCertain == true)
        #expect(
            search.hits(in: Array("64:ff9b::198.51.100.31".utf8).span, as: .text)["64:ff9b::c633:641f"]?.isCertain
                == true)
    }

    @Test func `a word without end costs no more than its length`() {
        #expect(hit(Array(repeating: UInt8(ascii: ":"), count: 100_000)) == nil)
        #expect(hit(Array(repeating: UInt8(ascii: "."), count: 100_000), as: .data) == nil)
    }

    @Test func `more addresses than the limit are not looked for`() {
        let sought = SoughtAddresses((0..<100).map { .ipv4(IPv4Address(198, 51, 100, $0)) })
        #expect(sought.all.count == SoughtAddresses.maximum)
    }

    @Test(arguments: [
        ("Ipv4Addr::new(198, 51, 100, 31)", 14), ("Peer = {198,51,100,31},", 8), ("a\n[198 , 51 ,100,\t31]", 3),
        ("198,51,100,31", 0), ("a(1, 198, 51, 100, 31)", -1), ("(198, 51, 100, 31, 8)", -1), ("(198, 51, 100,)", -1),
        ("(198, 51,\n100, 31)", -1), ("(198 51, 100, 31)", -1), ("(198, 51, 100, 3100)", -1), ("198,51,100,31,", -1),
        ("(1198, 51, 100, 31)", -1), ("x, 198, 51, 100, 31)", 3),
        ("{ (byte) 198, (byte)51, 100, 31 }", 9), ("(byt) 198, 51, 100, 31", 6), ("(byte) 51, 100, 31", -1),
    ])
    func `four numbers between commas are an address in text`(_ text: String, _ offset: Int) {
        let search = AddressSearch(SoughtAddresses(["198.51.100.31"]))
        let hit = search.hits(in: Array(text.utf8).span, as: .text)["198.51.100.31"]
        #expect(hit?.offset ?? -1 == offset)
        #expect(hit?.isCertain != false)
    }
}
