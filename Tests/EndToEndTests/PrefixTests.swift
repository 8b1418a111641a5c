import Testing

extension EndToEnd {
    /// The same clients under every length that RFC 6052 §2.2 has.
    @Suite struct PrefixTests {
        @Test(arguments: [
            ("2001:db8:64::/96", "2001:db8:64::c633:640a"),
            ("2001:db8:64::/64", "2001:db8:64:0:c6:3364:a00:0"),
            ("2001:db8:64::/56", "2001:db8:64:c6:33:640a::"),
            ("2001:db8:64::/48", "2001:db8:64:c633:64:a00::"),
            ("2001:db8:6400::/40", "2001:db8:64c6:3364:a::"),
            ("2001:db8::/32", "2001:db8:c633:640a::"),
        ])
        func everyPrefixLengthWorksEndToEnd(_ prefix: String, _ synthesised: String) throws {
            let address = try ipv6check("--prefix", prefix, "dig", "+short", "AAAA", "shop.test")
            #expect(address.text == synthesised + "\n")
            expectPass(try ipv6check("--prefix", prefix, "curl", "-fsS", "http://shop.test/"))
            expectPass(try ipv6check("--prefix", prefix, "curl", "-fsS", "https://shop.test/"))
            expectPass(try ipv6check("--prefix", prefix, "ping", "-c", "1", "shop.test"))
            expectPass(try ipv6check("--prefix", prefix, "curl", "-fsS", "http://six.test/"))
        }

        @Test(arguments: [
            "2001:db8:64::/95", "64:ff9b::", "64:ff9b::/", "nonsense", "2001:db8:64::1/96", "10.0.0.0/8", "2001:2::/32",
        ])
        func aPrefixOfAnotherLengthIsRefused(_ prefix: String) throws {
            let output = try ipv6check("--prefix", prefix, "true")
            #expect(output.status == 2)
            #expect(output.standardError.split(separator: "\n").count == 1, "one line, and no stack trace")
        }
    }
}
