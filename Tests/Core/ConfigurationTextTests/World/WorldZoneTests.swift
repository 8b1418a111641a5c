// SPDX-License-Identifier: Apache-2.0
import ConfigurationFiles
@testable import ConfigurationText
import DNS64
import DNSWire
import Foundation
import Testing
import Wire

@Suite("Zone files of a world") struct WorldZoneTests {
    /// A folder with these files in it, the world among them.
    private final class Folder {
        let path: URL

        init(_ files: [String: String]) throws {
            path = FileManager.default.temporaryDirectory.appending(path: "zones-\(UUID().uuidString)")
            try FileManager.default.createDirectory(
                at: path.appending(path: "zones"), withIntermediateDirectories: true)
            for (name, text) in files { try Data(text.utf8).write(to: path.appending(path: name)) }
        }

        deinit { try? FileManager.default.removeItem(at: path) }

        var world: World {
            get throws(WorldFileError) { try World(file: path.appending(path: "w.yaml").path) }
        }

        /// The mistakes of the world, without the folder's path.
        var complaints: [String] {
            do throws(WorldFileError) {
                _ = try world
                return []
            } catch {
                return error.description.replacing(path.path + "/", with: "").split(separator: "\n").map(String.init)
            }
        }
    }

    private static let soa = "@ SOA ns who 1 2 3 4 60"

    @Test func `paths begin at the folder of the world file, and names at the origin`() throws {
        let folder = try Folder([
            "w.yaml": """
            version: 1
            zones:
              - zones/a.zone
              - { file: zones/b.zone, origin: b.test }
            """,
            "zones/a.zone": "$ORIGIN a.test.\n\(Self.soa)\nwww 60 A 198.51.100.1\n",
            "zones/b.zone": "\(Self.soa)\nwww A 198.51.100.2\n",
        ])
        let zones = try folder.world.zones
        #expect(zones.map { "\($0.apex)" } == ["a.test.", "b.test."])
        #expect(
            zones.map { "\($0.records[1])" } == [
                "www.a.test. 60 IN A 198.51.100.1", "www.b.test. 300 IN A 198.51.100.2",
            ])
    }

    @Test(arguments: [
        ("zones/none.zone", "zones/none.zone: there is no such file"),
        ("zones", "zones: this is a folder: name a file in it"),
        ("[]", ""),
        ("{ origin: a.test }", "a zone has a file, such as { file: zones/db.shop.test, origin: shop.test }"),
        ("{ file: zones/a.zone, orgin: b }", "unknown key \"orgin\" (did you mean \"origin\"?)"),
        ("{ file: zones/a.zone, origin: a..b }", "an origin is a name such as shop.test, not \"a..b\""),
        (
            "{ file: [] }",
            "a zone is the path of its file, or { file: zones/db.shop.test, origin: shop.test }, not an empty list"
        ),
    ])
    func `an entry that names no zone file is told`(entry: String, expected: String) throws {
        let folder = try Folder(["w.yaml": "version: 1\nzones: \(entry)\n", "zones/a.zone": Self.soa])
        let complaints = folder.complaints.map(withoutPlace)
        #expect(complaints == (expected.isEmpty ? [] : [expected]))
    }

    @Test(arguments: [
        ("www A 198.51.100.1", [": there is no SOA record, which says what the zone is called"]),
        (
            "@ SOA ns who 1 2 3 4 60\nwww A nowhere",
            [":2: \"nowhere\" does not belong into the A record: expected an IPv4 address, such as 192.0.2.1"]
        ),
        (
            "$ORIGIN a.test.\n@ SOA ns who 1 2 3 4 60\nb.test. A 198.51.100.1\nc CH TXT x\n@ SOA ns who 1 2 3 4 60",
            [
                ":5: a zone has one SOA record, and there is one in line 2 already",
                ":3: b.test. lies outside the zone a.test.: put it into a zone of its own",
                ":4: a record of class CH is never asked for here: write IN",
            ]
        ),
        (
            "$ORIGIN a.test.\n@ SOA ns who 1 2 3 4 60\nw A nowhere\nx A 1\nb.test. A 198.51.100.1",
            [
                ":3: \"nowhere\" does not belong into the A record: expected an IPv4 address, such as 192.0.2.1",
                ":4: \"1\" does not belong into the A record: expected an IPv4 address, such as 192.0.2.1",
                ":5: b.test. lies outside the zone a.test.: put it into a zone of its own",
            ]
        ),
        (
            "@ SOA ns who\nw A nowhere",
            [
                ":1: the data of the SOA record is incomplete: a number from 0 to 4294967295 is missing",
                ":2: \"nowhere\" does not belong into the A record: expected an IPv4 address, such as 192.0.2.1",
            ]
        ),
        (
            "$ORIGIN a.test.\n@ SOA ns who 1 2 3 4 60\nw CNAME a.test.\nw A 198.51.100.1\nw NSEC a.test. CNAME",
            [":4: w.a.test. is an alias and can have no A record"]
        ),
        (
            "$ORIGIN a.test.\n@ SOA ns who 1 2 3 4 60\n@ NSEC3PARAM 1 0 501 -",
            [":3: 501 iterations are more than the 500 that are hashed here (RFC 9276 §3.1: none)"]
        ),
    ])
    func `a mistake in a zone file is told with its line`(text: String, expected: [String]) throws {
        let folder = try Folder(["w.yaml": "version: 1\nzones: zones/a.zone\n", "zones/a.zone": text])
        #expect(folder.complaints == expected.map { "w.yaml:2:8: zones/a.zone\($0)" })
    }

    @Test func `two files of one zone are told`() throws {
        let folder = try Folder([
            "w.yaml": "version: 1\nzones:\n- { file: zones/a.zone, origin: a }\n- { file: zones/a.zone, origin: A }\n",
            "zones/a.zone": Self.soa,
        ])
        #expect(folder.complaints == ["w.yaml:4:3: the zone A. stands in line 3 already: keep one"])
    }

    @Test func `a host that lies in a zone has its addresses there, and a record belongs there`() throws {
        let folder = try Folder([
            "w.yaml": """
            version: 1
            zones: { file: zones/a.zone, origin: a.test }
            hosts:
              www.a.test: { addresses: [198.51.100.1, 198.51.100.2], services: [http] }
            records:
              - mail.a.test A 198.51.100.3
            """,
            "zones/a.zone": "\(Self.soa)\nwww A 198.51.100.1\n",
        ])
        #expect(
            folder.complaints == [
                "w.yaml:4:43: www.a.test. lies in the zone a.test., which does not have this address for it: "
                    + "write www.a.test. A 198.51.100.2 there",
                "w.yaml:6:5: mail.a.test. lies in the zone a.test.: write the record there",
            ])
    }

    private static let anchor = "a.test. DS 1 13 2 \(String(repeating: "ab", count: 32))"

    @Test func `trust anchors are records, or files of them`() throws {
        let folder = try Folder([
            "w.yaml": "version: 1\ndnssec: { validate: true, trust-anchors: [zones/a.ds, \(Self.anchor)] }\n",
            "zones/a.ds": "; of b.test\n\(Self.anchor.replacing("a.test", with: "b.test"))\n",
        ])
        #expect(
            try folder.world.validation?.trustAnchors.map { "\($0.name) \($0.type)" } == ["b.test. DS", "a.test. DS"])
        #expect(try world("version: 1\ndnssec: { validate: false }\n").validation == nil)
    }

    @Test(arguments: [
        (
            "{ validate: true }",
            "to validate takes trust anchors: write { validate: true, trust-anchors: [zones/signed.test.ds] }"
        ),
        ("{ validate: maybe }", "validate must be true or false, not \"maybe\""),
        ("{ valdate: true }", "unknown key \"valdate\" (did you mean \"validate\"?)"),
        ("{ trust-anchors: none.ds }", "none.ds: there is no such file"),
        ("{ trust-anchors: a.test. IN A 198.51.100.1 }", "a trust anchor is a DS or DNSKEY record, not A"),
        ("{ trust-anchors: [[]] }", "a trust anchor is a DS or DNSKEY record or a file of them, not an empty list"),
    ])
    func `what cannot be trusted is told`(section: String, expected: String) throws {
        let folder = try Folder(["w.yaml": "version: 1\ndnssec: \(section)\n"])
        #expect(folder.complaints.map(withoutPlace) == [expected])
    }

    @Test func `forwarders have an address and perhaps a port`() throws {
        let world = try world("version: 1\nforwarders: [192.0.2.53, \"2001:db8::53#5353\"]\n")
        #expect(
            world.forwarders?.servers == [
                Endpoint(.ipv4(IPv4Address(192, 0, 2, 53)), port: 53),
                Endpoint(.ipv6(IPv6Address("2001:db8::53")!), port: 5353),
            ])
        #expect(try self.world("version: 1\nforwarders: []\n").forwarders == nil)
    }

    @Test(arguments: [
        (
            "dns.test",
            "a forwarder is an address and perhaps a port, such as 192.0.2.53 or 2001:db8::53#5353, not \"dns.test\""
        ),
        (
            "192.0.2.53#0",
            "a forwarder is an address and perhaps a port, such as 192.0.2.53 or 2001:db8::53#5353, not \"192.0.2.53#0\""
        ),
        (
            "192.0.2.53#65536",
            "a forwarder is an address and perhaps a port, such as 192.0.2.53 or 2001:db8::53#5353, not \"192.0.2.53#65536\""
        ),
        (
            "192.0.2.53#",
            "a forwarder is an address and perhaps a port, such as 192.0.2.53 or 2001:db8::53#5353, not \"192.0.2.53#\""
        ),
        ("[192.0.2.53, 192.0.2.53#53]", "the forwarder 192.0.2.53#53 stands here already: keep one"),
        ("{}", "a forwarder is an address and perhaps a port, such as 192.0.2.53 or 2001:db8::53#5353, not a map"),
    ])
    func `what cannot be asked is told`(text: String, expected: String) {
        #expect(complaints("version: 1\nforwarders: \(text)\n").map(withoutPlace) == [expected])
    }

    /// A message about line 2.
    private func withoutPlace(_ complaint: String) -> String { complaint.replacing(#/^w\.yaml:2:\d+: /#, with: "") }

    private func world(_ yaml: String) throws -> World { try World(yaml: Array(yaml.utf8), name: "w.yaml") }
}
