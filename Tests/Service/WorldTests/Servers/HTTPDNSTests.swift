// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import DNS64
import DNSWire
import Evidence
import Testing
import Wire

@testable import World

@Suite("HTTPDNS", .timeLimit(.minutes(5))) struct HTTPDNSTests {
    private let web: WebSettings = {
        var web = WebSettings()
        web.tellsAddresses = true
        return web
    }()

    private static let records = [
        "pool.test. 60 A 198.51.100.1", "pool.test. 300 A 198.51.100.2", "pool.test. 200 AAAA 2e00:2:0:cafe::1",
        "other.test. 90 CNAME pool.test.", "loop.test. 30 CNAME loop.test.", "*.wild.test. 40 A 198.51.100.3",
        "host.wild.test. 40 TXT here", "old.test. 50 DNAME new.test.", "www.new.test. 70 A 198.51.100.4",
        "v4.test. 80 A 198.51.100.5",
    ].map { try! ResourceRecord(presentation: $0, defaultTTL: 60) }

    @Test(arguments: [
        ("/d?dn=pool.test", "198.51.100.1;198.51.100.2"), ("/d?host=Pool.Test.&ttl=1", "198.51.100.1;198.51.100.2,60"),
        ("/d?dn=pool.test&type=AAAA&ttl=1", "2e00:2:0:cafe::1,200"),
        // An alias ends no later than what leads to it.
        ("/d?dn=other.test&ttl=1", "198.51.100.1;198.51.100.2,60"),
        ("/d?dn=other.test&type=aaaa&ttl=1", "2e00:2:0:cafe::1,90"),
        ("/d?dn=any.wild.test&ttl=1", "198.51.100.3,40"), ("/d?dn=host.wild.test&ttl=1", ""),
        ("/d?dn=www.old.test&ttl=1", "198.51.100.4,50"), ("/d?dn=old.test", ""),
        ("/d?dn=loop.test", ""), ("/d?dn=nobody.test&ttl=1", ""), ("/d?dn=v4.test&type=aaaa&ttl=1", ""),
        (
            "/100000/d?host=pool.test&query=4,6",
            #"{"host": "pool.test", "ips": ["198.51.100.1", "198.51.100.2"], "ipsv6": ["2e00:2:0:cafe::1"], "ttl": 60, "origin_ttl": 60}"#
                + "\n"
        ),
        (
            "/100000/d?host=pool.test&query=6",
            #"{"host": "pool.test", "ipsv6": ["2e00:2:0:cafe::1"], "ttl": 200, "origin_ttl": 200}"# + "\n"
        ),
        (
            "/100000/d?host=other.test",
            #"{"host": "other.test", "ips": ["198.51.100.1", "198.51.100.2"], "ttl": 60, "origin_ttl": 60}"# + "\n"
        ),
        (
            "/100000/d?host=v4.test&query=4,6",
            #"{"host": "v4.test", "ips": ["198.51.100.5"], "ipsv6": [], "ttl": 80, "origin_ttl": 80}"# + "\n"
        ),
        ("/1/d?host=nobody.test", #"{"host": "nobody.test", "ips": [], "ttl": 0, "origin_ttl": 0}"# + "\n"),
    ])
    func `tells what the world's DNS knows, and synthesises nothing`(path: String, expected: String) async throws {
        try await withService(.http, web: web, records: Self.records) { service in
            let response = try await service.get(path)
            #expect(response.status == 200 && response.body == expected)
        }
    }

    @Test func `follows the world when that is read anew`() async throws {
        try await withService(.http, web: web, records: Self.records) { service in
            let before = try await service.get("/d?dn=v4.test")
            service.servers.know(
                RecordStore([try ResourceRecord(presentation: "v4.test. 80 A 198.51.100.6", defaultTTL: 60)]))
            let after = try await service.get("/d?dn=v4.test")
            let gone = try await service.get("/d?dn=pool.test")
            #expect([before, after, gone].map(\.body) == ["198.51.100.5", "198.51.100.6", ""])
        }
    }

    @Test func `what it was asked is evidence`() async throws {
        try await withService(.http, web: web, records: Self.records) { service in
            for _ in 0..<2 { _ = try await service.get("/1/d?host=pool.test&query=4,6") }
            _ = try await service.get("/d?dn=nobody.test")
            let queries = service.queries
            #expect(
                queries.map(\.question.description) == ["pool.test. IN A", "pool.test. IN AAAA", "nobody.test. IN A"])
            #expect(queries.map(\.count) == [2, 2, 1])
            #expect(queries.allSatisfy { $0.carrier == .httpDNS && $0.address == Loopback.ipv4 })
            #expect(queries[0].addresses.map(\.description) == ["198.51.100.1", "198.51.100.2"])
            #expect(queries[2].responseCode == .nameError && queries[2].addresses.isEmpty)
        }
    }

    @Test(arguments: ["/d", "/d?dn=", "/d?dn=a..b", "/1/d?dn=pool.test"])
    func `says how it is to be asked`(path: String) async throws {
        try await withService(.http, web: web) { service in
            let answer = try await service.get(path)
            #expect(answer.status == 400)
            let elsewhere = try await service.get("/2/3/d?host=pool.test")
            #expect(elsewhere.status == 404)
        }
        // A server returns addresses only if it is configured to.
        try await withService(.http) { service in
            let answer = try await service.get(path)
            #expect(answer.status == 404)
        }
    }
}
