// SPDX-License-Identifier: Apache-2.0
import Testing
import Translation
import Wire

/// RFC 6052 §2.2: what may be a Pref64.
@Suite struct RFC6052Section2_2Tests {
    @Test func `there are six lengths`() throws {
        for length in 0...128 {
            let prefix = try #require(IPv6Prefix(IPv6Address("2001:db8::")!, length: length))
            if [32, 40, 48, 56, 64, 96].contains(length) {
                #expect(try Pref64(prefix).prefix == prefix)
            } else {
                #expect(throws: Pref64.Invalid.length(length)) { try Pref64(prefix) }
            }
        }
    }

    @Test func `bits 64 to 71 are zero`() throws {
        let prefix = try #require(IPv6Prefix("2001:db8:0:0:100::/96"))
        #expect(throws: Pref64.Invalid.octetUNotZero(prefix)) { try Pref64(prefix) }
        #expect(try Pref64("2001:db8:0:0:ff::/96").prefix.length == 96)
    }

    @Test(arguments: ["", "64:ff9b::", "64:ff9b::1/96", "64:ff9b::/", "64:ff9b::/129", "192.0.2.0/24", "x/96"])
    func `what is not a prefix is told so`(text: String) {
        #expect(throws: Pref64.Invalid.notAPrefix(text)) { try Pref64(text) }
    }

    @Test func `the well-known prefix is known`() throws {
        #expect(try Pref64("64:ff9b::/96") == .wellKnown)
        #expect(try Pref64("64:ff9b::/96").isWellKnown)
        // RFC 8215's prefix for local use is another one.
        #expect(try !Pref64("64:ff9b:1::/96").isWellKnown)
        #expect(Pref64.wellKnown.description == "64:ff9b::/96")
    }

    @Test(arguments: [
        ("ff00::/96", Pref64.Use.multicast), ("ff0e:db8::/32", .multicast), ("fe80::/96", .linkLocal),
        ("febf::/64", .linkLocal), ("::/96", .reserved), ("::/32", .reserved), ("::ffff:0:0/96", .reserved),
        ("::1:0:0/96", .reserved),
    ])
    func `addresses that are something else already are no prefix of a NAT64`(text: String, use: Pref64.Use) throws {
        let prefix = try #require(IPv6Prefix(text))
        #expect(throws: Pref64.Invalid.notUsable(prefix, because: use)) { try Pref64(text) }
        #expect(Pref64.Invalid.notUsable(prefix, because: use).description.hasPrefix("\(prefix) cannot be a Pref64: "))
    }

    @Test(arguments: ["fd00:64::/96", "fec0::/96", "0:1::/32", "64:ff9b:1::/48", "100::/64", "2002::/32"])
    func `unusual addresses are left to who runs the network`(text: String) throws {
        #expect(try Pref64(text).description == IPv6Prefix(text)?.description)
    }

    @Test func `the errors say what is allowed`() {
        #expect(Pref64.Invalid.length(63).description.contains("32, 40, 48, 56, 64 or 96, not 63"))
        #expect(Pref64.Invalid.notAPrefix("x").description.contains("'x'"))
    }
}
