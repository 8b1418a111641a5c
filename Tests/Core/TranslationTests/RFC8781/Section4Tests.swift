// SPDX-License-Identifier: Apache-2.0
import Testing
import Translation
import Wire

@Suite("RFC 8781 §4: the PREF64 option")
struct Pref64OptionTests {
    private func read(_ octets: [UInt8]) -> Pref64Option? { Pref64Option(octets.span) }

    /// PREF64 64:ff9b::/96, lifetime 1800
    private static let golden: [UInt8] = [38, 2, 0x07, 0x08, 0x00, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0]

    @Test
    func `type 38, length 2, 13 bits of lifetime in units of eight seconds, 3 bits of prefix length code`() {
        #expect(Pref64Option(.wellKnown, lifetime: 1800).octets == Self.golden)
        #expect(read(Self.golden) == Pref64Option(.wellKnown, lifetime: 1800))
    }

    @Test(arguments: zip([0, 1, 2, 3, 4, 5] as [UInt8], [96, 64, 56, 48, 40, 32]))
    func `the codes 0 to 5 are the lengths 96, 64, 56, 48, 40 and 32`(code: UInt8, length: Int) throws {
        let prefix = try Pref64(#require(IPv6Prefix(IPv6Address("2001:db8:122:344::")!, length: length)))
        let option = Pref64Option(prefix, lifetime: 8)
        #expect(option.octets[3] & 7 == code)
        #expect(read(option.octets) == option)
    }

    @Test(arguments: [UInt8(6), 7])
    func `other codes are ignored`(code: UInt8) {
        var octets = Self.golden
        octets[3] = octets[3] & ~7 | code
        #expect(read(octets) == nil)
    }

    @Test
    func `bits behind the prefix length have no meaning`() throws {
        var octets = try Pref64Option(Pref64("2001:db8::/32"), lifetime: 8).octets
        octets[8] = 0xff
        #expect(try read(octets)?.prefix == Pref64("2001:db8::/32"))
    }

    @Test
    func `lifetimes are rounded up, and 65,528 seconds are the most; 0 withdraws`() {
        #expect(Pref64Option(.wellKnown, lifetime: 1).lifetime == 8)
        #expect(Pref64Option(.wellKnown, lifetime: .max).lifetime == 65_528)
        #expect(Pref64Option(.wellKnown, lifetime: 0).scaledLifetime == 0)
    }

    @Test
    func `unless told otherwise a router announces three advertisement intervals (§4.1)`() {
        #expect(Pref64Option.defaultLifetime(maximumAdvertisementInterval: 600) == 1800)
        #expect(Pref64Option.defaultLifetime(maximumAdvertisementInterval: .max) == 65_528)
    }

    @Test
    func `other types, other lengths and every cut of an option are no PREF64`() {
        for length in 0..<16 { #expect(read(Array(Self.golden.prefix(length))) == nil) }
        #expect(read(Self.golden + [0]) == nil)
        for (index, value) in [(0, 37), (1, 1), (1, 3)] as [(Int, UInt8)] {
            var octets = Self.golden
            octets[index] = value
            #expect(read(octets) == nil)
        }
    }
}
