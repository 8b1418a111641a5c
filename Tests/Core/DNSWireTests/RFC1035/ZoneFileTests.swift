// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Testing

@Suite("RFC 1035 §5: zone files")
struct ZoneFileTests {
    @Test
    func `directives, blanks for the name before, parentheses and comments`() throws {
        let file = try ZoneFile(
            """
            $ORIGIN shop.test. ; everything below
            $TTL 1h
            @       IN SOA ns hostmaster.test. (
                        2024010101 ; serial
                        1h 10m 1w 1m )
                    NS  ns
            ns  60  A   198.51.100.53
                    AAAA 2e00:2:0:cafe::53
            $ORIGIN eu
            www     CNAME @
            """)
        #expect(
            file.records.map(\.description) == [
                "shop.test. 3600 IN SOA ns.shop.test. hostmaster.test. 2024010101 3600 600 604800 60",
                "shop.test. 3600 IN NS ns.shop.test.", "ns.shop.test. 60 IN A 198.51.100.53",
                "ns.shop.test. 3600 IN AAAA 2e00:2:0:cafe::53", "www.eu.shop.test. 3600 IN CNAME eu.shop.test.",
            ])
    }

    @Test
    func `without $TTL a record has the TTL of the one before`() throws {
        let file = try ZoneFile("a 5 A 192.0.2.1\nb A 192.0.2.2", defaultTTL: 9)
        #expect(file.records.map(\.ttl) == [5, 5])
    }

    @Test func `all mistakes are told, and what is right around them is read`() {
        let text = """
            $TTL soon
            a A nonsense
              A 192.0.2.1
            b TXT "open
            c ( A 192.0.2.2
              ) A )
            d..e A 192.0.2.3
              A 192.0.2.4
            f A 192.0.2.5
            """
        let file = ZoneFile(reading: text, maximumFailures: 100)
        #expect(file.failures.map(\.line) == [1, 2, 4, 6, 7])
        #expect(file.records.map(\.description) == ["a. 3600 IN A 192.0.2.1", "f. 3600 IN A 192.0.2.5"])
        #expect(file.lines == [3, 9])
        #expect(ZoneFile(reading: text, maximumFailures: 2).failures.count == 2)
    }

    @Test(arguments: [
        ("a A 192.0.2.1\n\nb A nonsense", 3, "nonsense"), ("$INCLUDE other.zone", 1, "$INCLUDE"),
        ("a A 192.0.2.1\n$TTL soon", 2, "$TTL"), ("a TXT \"x\nb A 192.0.2.1", 1, "quotation"),
    ])
    func `a failure says in which line`(text: String, line: Int, word: String) throws {
        let failure = try #require(throws: ZoneFile.Failure.self) { try ZoneFile(text) }
        #expect(failure.line == line)
        #expect(failure.description.contains(word))
    }
}
