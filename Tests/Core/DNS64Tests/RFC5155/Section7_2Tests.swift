// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Foundation
import Testing
import Wire

@testable import DNS64
import TestSupport

/// Records for a validating client, from the signed zones in fixtures/zones. The end-to-end tests validate them with delv.
@Suite("RFC 5155 §7.2, RFC 4035 §3.1: signed zones") struct RFC5155Section7_2Tests {
    private static let store: RecordStore = {
        var store = RecordStore([], zones: [.root])
        for name in ["signed.test", "child.signed.test"] {
            let text = try! String(contentsOfFile: "\(projectRoot)fixtures/zones/\(name).zone", encoding: .utf8)
            store.add(zone: try! DomainName(name), try! ZoneFile(text).records)
        }
        return store
    }()

    private func ask(_ name: String, _ type: RecordType, dnssecOK: Bool = true) throws -> RecordStore.LookUpResult {
        Self.store.lookUp(Question(name: try DomainName(name), type: type), dnssecOK: dnssecOK)
    }

    private func answer(_ name: String, _ type: RecordType, dnssecOK: Bool = true) throws -> Answer {
        guard case .complete(let answer) = try ask(name, type, dnssecOK: dnssecOK) else {
            throw DomainNameError.emptyLabel
        }
        return answer
    }

    /// The sets of a section: `name TYPE`, each followed by the signature over it.
    private func sets(_ records: [ResourceRecord]) -> [String] {
        records.map { "\($0.name) \($0.coveredType.map { "RRSIG \($0)" } ?? "\($0.type)")" }
    }

    // MARK: NSEC

    @Test(arguments: [
        // The name is there: its own record.
        ("v4.signed.test", RecordType.aaaa, ["v4"]),
        // An empty non-terminal: the record whose gap it is in.
        ("deep.signed.test", .a, ["child"]),
        // No name, and no wildcard for it.
        ("none.signed.test", .a, ["host.new", "@"]),
        ("a.none.signed.test", .a, ["host.new", "@"]),
        // A wildcard without the type.
        ("x.wild.signed.test", .aaaa, ["*.wild"]),
    ])
    func `RFC 4035 §3.1.3: NSEC records show that there is nothing`(
        name: String, type: RecordType, owners: [String]
    ) throws {
        let answer = try answer(name, type)
        let expected = owners.map { $0 == "@" ? "signed.test." : "\($0).signed.test." }
        let records = expected.flatMap { ["\($0) NSEC", "\($0) RRSIG NSEC"] }
        #expect(sets(answer.authority) == ["signed.test. SOA", "signed.test. RRSIG SOA"] + records)
        #expect(answer.answer.isEmpty)
    }

    @Test func `without DO there is only the SOA record`() throws {
        #expect(sets(try answer("none.signed.test", .a, dnssecOK: false).authority) == ["signed.test. SOA"])
        #expect(sets(try answer("none.child.signed.test", .a, dnssecOK: false).authority) == ["child.signed.test. SOA"])
    }

    @Test func `RFC 4035 §3.1.3_3: what a wildcard yields comes with the proof that it had to`() throws {
        let data = try answer("x.wild.signed.test", .a)
        #expect(sets(data.answer) == ["x.wild.signed.test. A", "x.wild.signed.test. RRSIG A"])
        #expect(sets(data.authority) == ["*.wild.signed.test. NSEC", "*.wild.signed.test. RRSIG NSEC"])
    }

    // MARK: NSEC3

    /// As `nsec3hash beef 1 1 NAME.child.signed.test` (bind9-utils) prints them.
    private static let hashes = [
        "@": "8RPEJHJ06VUF2M122JG3EK07N627F1SL",
        "y": "MC8EFNDSC4KJ1GN6872BCNVMA8R6E638",
        "*": "SETC7EAL69FI7GRSCPKGGI4TF7I2U62F",
        "v4": "Q7VH6U6UAOI33T5C93DH8AEHFTPMOERQ",
        "deep": "E7B1DBJ0GIJ1P7OR8VAIU4EKH2PDPFS6",
        "wild": "5RTIIS4V4BHMV50699FBGTQB5DFDJD5A",
        "x.wild": "VKHQMHAPSJOLMEUD056V4S70G1HOVAM6",
        "*.wild": "TH2CRAREE6DODRNUJSRQH96B1I75O50S",
    ]

    /// Whether there is a record for the name.
    private func gaps(_ records: [ResourceRecord], matching name: String) throws -> Bool {
        let hash = try #require(Self.hashes[name])
        return gaps(records).contains { $0.from == hash }
    }

    /// Whether there is a record that shows that there is none for the name. The last gap goes round to the first hash.
    private func gaps(_ records: [ResourceRecord], covering name: String) throws -> Bool {
        let hash = try #require(Self.hashes[name])
        return gaps(records).contains {
            $0.from < $0.to ? $0.from < hash && hash < $0.to : $0.from < hash || hash < $0.to
        }
    }

    private func gaps(_ records: [ResourceRecord]) -> [(from: String, to: String)] {
        records.filter { $0.type == .nsec3 }.map { record in
            let from = String(decoding: record.name.labels[0], as: UTF8.self).uppercased()
            return (from, "\(record.data)".split(separator: " ").map(String.init)[4].uppercased())
        }
    }

    @Test func `§7_2_2: a name error has the closest encloser, the next closer name and the wildcard`() throws {
        let authority = try answer("x.y.child.signed.test", .a).authority
        // The encloser is the apex.
        #expect(try gaps(authority, matching: "@"))
        #expect(try gaps(authority, covering: "y"))
        #expect(try gaps(authority, covering: "*"))
    }

    @Test func `§7_2_3: no data has the name's own record`() throws {
        let authority = try answer("v4.child.signed.test", .aaaa).authority
        #expect(try gaps(authority, matching: "v4"))
        #expect(authority.count { $0.type == .nsec3 } == 1)
        let deep = try answer("deep.child.signed.test", .a)
        #expect(try gaps(deep.authority, matching: "deep"))
        #expect(deep.responseCode == .noError)
    }

    @Test func `§7_2_5: a wildcard without the type has its own record beside the encloser's`() throws {
        let authority = try answer("x.wild.child.signed.test", .aaaa).authority
        #expect(try gaps(authority, matching: "wild"))
        #expect(try gaps(authority, covering: "x.wild"))
        #expect(try gaps(authority, matching: "*.wild"))
    }

    @Test func `§7_2_6: a wildcard's data have the proof that the next closer name is not there`() throws {
        let authority = try answer("x.wild.child.signed.test", .a).authority
        #expect(try gaps(authority, covering: "x.wild"))
        #expect(authority.count { $0.type == .nsec3 } == 1)
    }

    @Test func `§7_2_8: the owner name of an NSEC3 record does not exist`() throws {
        let owner = try #require(Self.hashes["@"])
        #expect(try answer("\(owner).child.signed.test", .nsec3).responseCode == .nameError)
    }

    // MARK: Delegations

    @Test func `RFC 4035 §3.1.4_1: a DS record is the delegating zone's, and all else the other's`() throws {
        #expect(
            sets(try answer("child.signed.test", .ds).answer) == [
                "child.signed.test. DS", "child.signed.test. RRSIG DS",
            ])
        #expect(try answer("child.signed.test", .dnskey).answer.isEmpty == false)
        #expect(try answer("child.signed.test", .soa).answer.first?.type == .soa)
        let absent = try answer("plain.signed.test", .ds)
        #expect(sets(absent.authority).contains("plain.signed.test. NSEC"))
    }

    @Test func `RFC 1034 §4.2.1: a name that is given away has a referral`() throws {
        guard case .delegated(_, let next, let referral) = try ask("www.plain.signed.test", .a) else {
            Issue.record("not delegated")
            return
        }
        #expect(try next == DomainName("www.plain.signed.test"))
        #expect(
            sets(referral.authority) == [
                "plain.signed.test. NS", "plain.signed.test. NSEC", "plain.signed.test. RRSIG NSEC",
            ])
        #expect(referral.additional.map(\.data) == [.a(IPv4Address(198, 51, 100, 67))])
    }

    @Test func `aliases lead from zone to zone and out of them`() throws {
        #expect(
            sets(try answer("www.signed.test", .a, dnssecOK: false).answer) == [
                "www.signed.test. CNAME", "v4.signed.test. A",
            ])
        let renamed = try answer("host.old.signed.test", .a)
        #expect(
            sets(renamed.answer) == [
                "old.signed.test. DNAME", "old.signed.test. RRSIG DNAME", "host.old.signed.test. CNAME",
                "host.new.signed.test. A", "host.new.signed.test. RRSIG A",
            ])
        #expect(try answer("out.signed.test", .a).responseCode == .nameError)
    }
}
