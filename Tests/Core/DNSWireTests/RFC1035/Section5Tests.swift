// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Testing
import Wire

@Suite("RFC 1035 §5.1: records in presentation format")
struct RFC1035Section5Tests {
    @Test(arguments: [
        "shop.test. 300 IN A 198.51.100.10",
        "dual.test. 300 IN AAAA 2e00:2:0:cafe::20",
        "www.shop.test. 300 IN CNAME shop.test.",
        "old.test. 60 IN DNAME new.test.",
        "mail.test. 300 IN MX 10 shop.test.",
        "shop.test. 300 IN NS ns.shop.test.",
        "10.100.51.198.in-addr.arpa. 0 IN PTR shop.test.",
        "test. 300 IN SOA ns.test. hostmaster.test. 2024010101 3600 600 86400 60",
        "shop.test. 300 IN TXT \"v=spf1 -all\" \"say \\\"hi\\\"; \\\\ \\195\\188\"",
        "_http._tcp.shop.test. 300 IN SRV 0 5 80 shop.test.",
        "shop.test. 300 IN CAA 0 \"issue\" \"ca.test\"",
        "shop.test. 300 IN HTTPS 1 . alpn=\"h2,h3\" port=8443 ipv4hint=198.51.100.10,198.51.100.11"
            + " ipv6hint=2e00:2:0:cafe::20",
        "alias.test. 300 IN HTTPS 0 shop.test.",
        "_dns.shop.test. 300 IN SVCB 16 dns.shop.test. mandatory=alpn,port alpn=\"doq\" no-default-alpn port=853"
            + " ech=AAECAw== key667=\"hello\\210qoo\"",
        "shop.test. 300 IN NAPTR 100 50 \"s\" \"http+N2L+N2C+N2R\" \"\" www.shop.test.",
        "shop.test. 300 IN SSHFP 2 1 123456789ABCDEF67890123456789ABCDEF67890",
        "_443._tcp.shop.test. 300 IN TLSA 0 0 1 D2ABDE240D7CD3EE6B4B28C54DF034B9",
        "shop.test. 300 IN TYPE731 \\# 6 ABCDEF012345",
        "shop.test. 300 CH TXT \"chaos\"",
        "shop.test. 300 CLASS32 TYPE731 \\# 0", "shop.test. 300 CH A \\# 4 C0000201",
        "shop.test. 300 IN SOA a. b. 4294967295 4294967295 4294967295 4294967295 4294967295",
        // Parameters out of order, an empty digest and a comma inside a protocol's name: nothing has words for them.
        "shop.test. 300 IN HTTPS \\# 11 0001000003000001000100", "shop.test. 300 IN DS \\# 4 00010801",
        "shop.test. 300 IN HTTPS \\# 11 0001000001000403682C32",
    ])
    func `a record that is read and written is the same text`(line: String) throws {
        let record = try ResourceRecord(presentation: line, defaultTTL: 1)
        #expect(record.description == line)
        #expect(try ResourceRecord(presentation: record.description, defaultTTL: 1) == record)
    }

    @Test(arguments: [
        "dskey.example.com. 86400 IN DS 60485 5 1 2BB183AF5F22588179A53B0A98631FAD1A292118",
        "example.com. 86400 IN DNSKEY 256 3 5 AQPSKmynfzW4kyBv015MUG2DeIQ3Cbl+BBZH4b/0PY1kxkmvHjcZc8nokfzj31GajA==",
        "host.example.com. 86400 IN RRSIG A 5 3 86400 20030322173103 20030220173103 2642 example.com. oJB1W6WNGv+ldvQ3",
        "alfa.example.com. 86400 IN NSEC host.example.com. A MX RRSIG NSEC TYPE1234",
        "a.example. 3600 IN NSEC3 1 1 12 AABBCCDD 2T7B4G4VSA5SMI47K61MV5BV1A22BOJR MX DNSKEY NS SOA NSEC3PARAM RRSIG",
        "example. 3600 IN NSEC3PARAM 1 0 12 -",
    ])
    func `DNSSEC's records are read and written as RFC 4034 and RFC 5155 show them`(line: String) throws {
        let record = try ResourceRecord(presentation: line, defaultTTL: 1)
        // NSEC3's type list is written in ascending order, whatever order it came in.
        let expected = line.replacing("MX DNSKEY NS SOA NSEC3PARAM RRSIG", with: "NS SOA MX RRSIG DNSKEY NSEC3PARAM")
        #expect(record.description == expected)
    }

    @Test
    func `the bit map of RFC 4034 §4.3 has the octets shown there`() throws {
        let data = try RecordData(type: .nsec, presentation: "host.example.com. A MX RRSIG NSEC TYPE1234")
        let name = try DomainName("host.example.com.").wire
        let bitmap: [UInt8] = [0, 6, 0x40, 0x01, 0, 0, 0, 0x03, 4, 27] + Array(repeating: 0, count: 26) + [0x20]
        #expect(data == .other(.nsec, name + bitmap))
    }

    @Test
    func `TTL and class may be missing or change places; the TTL is then the default and the class IN`() throws {
        let expected = ResourceRecord(
            name: try DomainName("shop.test"), ttl: 77, data: .a(IPv4Address(198, 51, 100, 10)))
        for line in [
            "shop.test A 198.51.100.10", "shop.test. IN A 198.51.100.10", "shop.test 77 A 198.51.100.10",
            "shop.test IN 77 A 198.51.100.10", "shop.test 1m17s in a 198.51.100.10 ; the shop",
            "shop.test. 77 IN A \\# 4 C633640A", "shop.test ( 77\n IN A ) 198.51.100.10",
        ] {
            #expect(try ResourceRecord(presentation: line, defaultTTL: 77) == expected)
        }
    }

    @Test(arguments: [
        ("", PresentationError.emptyLine), ("; nothing", .emptyLine), ("shop.test", .missingType),
        ("shop.test 300 IN", .missingType), ("shop.test FOO 1", .unknownType("FOO")),
        ("shop.test ANY 1", .metaType(.any)), ("shop..test A 192.0.2.1", .badName("shop..test", .emptyLabel)),
        ("shop.test A", .missingField(.a, expected: "an IPv4 address, such as 192.0.2.1")),
        (
            "shop.test A 2001:db8::1",
            .badField(.a, text: "2001:db8::1", expected: "an IPv4 address, such as 192.0.2.1")
        ),
        (
            "shop.test AAAA 192.0.2.1",
            .badField(.aaaa, text: "192.0.2.1", expected: "an IPv6 address, such as 2001:db8::1")
        ),
        ("shop.test A 192.0.2.1 192.0.2.2", .excessText(.a, text: "192.0.2.2")),
        ("shop.test MX ten shop.test", .badField(.mx, text: "ten", expected: "a number from 0 to 65535")),
        ("shop.test MX 10", .missingField(.mx, expected: "a domain name, such as shop.test")),
        ("shop.test CNAME a..b", .badName("a..b", .emptyLabel)),
        ("shop.test TXT \"open", .unbalancedQuote), ("shop.test A ( 192.0.2.1", .unbalancedParenthesis),
        ("shop.test A 192.0.2.1 )", .unbalancedParenthesis), ("a A 192.0.2.1\nb A 192.0.2.1", .excessLine),
        ("shop.test A \\# 3 C63364", .badOpaqueData(.a)),
        ("shop.test TYPE731 \\# 2 C6", .badOpaqueData(.init(rawValue: 731))),
    ])
    func `what is no record says what is wrong`(line: String, error: PresentationError) {
        #expect(throws: error) { try ResourceRecord(presentation: line, defaultTTL: 1) }
        #expect(!error.description.isEmpty)
    }

    @Test(arguments: [("1h30m", 5400), ("2147483647", 2_147_483_647), ("1w", 604_800)])
    func `times are seconds or sums of units, up to 2³¹ − 1`(text: String, seconds: UInt32) throws {
        #expect(try ResourceRecord(presentation: "a \(text) A 192.0.2.1", defaultTTL: 1).ttl == seconds)
    }

    @Test
    func `a TTL above 2³¹ − 1 is none (RFC 2181 §8)`() {
        #expect(throws: PresentationError.unknownType("2147483648")) {
            try ResourceRecord(presentation: "a 2147483648 A 192.0.2.1", defaultTTL: 1)
        }
    }

    @Test
    func `timestamps pass through every month and leap years`() throws {
        for time in ["19700101000000", "20000229235959", "20240301000000", "20991231235959", "20250630120000"] {
            let line = "a. 1 IN RRSIG A 5 1 1 \(time) 0 1 a. AA=="
            #expect(
                try ResourceRecord(presentation: line, defaultTTL: 1).description.contains(" \(time) 19700101000000 "))
        }
    }
}
