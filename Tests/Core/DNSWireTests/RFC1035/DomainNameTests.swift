// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Randomness
import Testing

@Suite("RFC 1035 §2.3, §5.1 and RFC 4343: domain names")
struct DomainNameTests {
    @Test
    func `a name is written with its final dot, whether it was read with one or not`() throws {
        #expect(try DomainName("shop.test").description == "shop.test.")
        #expect(try DomainName("shop.test.").description == "shop.test.")
        #expect(try DomainName(".") == .root)
        #expect(DomainName.root.description == ".")
    }

    @Test
    func `the wire form is length octets, labels and the root's zero`() throws {
        #expect(try DomainName("ab.c").wire == [2, 0x61, 0x62, 1, 0x63, 0])
    }

    @Test
    func `letters compare without regard to case, and keep it (RFC 4343 §3)`() throws {
        let upper = try DomainName("WWW.Shop.TEST")
        let lower = try DomainName("www.shop.test")
        #expect(upper == lower)
        #expect(upper.hashValue == lower.hashValue)
        #expect(upper.description == "WWW.Shop.TEST.")
        #expect(!upper.isIdentical(to: lower))
    }

    @Test
    func `only ASCII letters are folded: the neighbours of A and Z, and octets above ASCII, are not`() throws {
        for pair in [(#"\064"#, #"\096"#), (#"\091"#, #"\123"#), (#"\192"#, #"\224"#)] {
            #expect(try DomainName(pair.0) != DomainName(pair.1))
        }
    }

    @Test(arguments: [
        (#"a\.b.test"#, #"a\.b.test."#, 2), (#"a\046b.test"#, #"a\.b.test."#, 2),
        (#"\000\255.test"#, #"\000\255.test."#, 2), (#"sp\032ace"#, #"sp\032ace."#, 1),
        (#"back\\slash"#, #"back\\slash."#, 1), (#"\@"#, #"\@."#, 1), (#"*.test"#, "*.test.", 2),
    ])
    func `escapes are read and written`(text: String, written: String, labels: Int) throws {
        let name = try DomainName(text)
        #expect(name.description == written)
        #expect(name.labelCount == labels)
        #expect(try DomainName(name.description).isIdentical(to: name))
    }

    @Test(arguments: [
        ("", DomainNameError.empty), ("..", .emptyLabel), (".test", .emptyLabel), ("a..b", .emptyLabel),
        (#"a\"#, .badEscape), (#"a\25"#, .badEscape), (#"a\256"#, .badEscape), ("büro.test", .notASCII),
        (String(repeating: "a", count: 64), .labelTooLong(length: 64)),
    ])
    func `what is no name says why`(text: String, error: DomainNameError) {
        #expect(throws: error) { try DomainName(text) }
        #expect(!error.description.isEmpty)
    }

    @Test
    func `labels have 63 octets at most and names 255 on the wire (RFC 1035 §2.3.4)`() throws {
        let label = String(repeating: "a", count: 63)
        let longest = [label, label, label, String(repeating: "b", count: 61)].joined(separator: ".")
        let name = try DomainName(longest)
        #expect(name.wire.count == DomainName.maximumNameLength)
        #expect(throws: DomainNameError.nameTooLong(length: 256)) { try DomainName(longest + "b") }
        #expect(throws: DomainNameError.nameTooLong(length: 257)) { try name.prepending(label: [0x61]) }
        #expect(throws: DomainNameError.emptyLabel) { try DomainName("a").prepending(label: []) }
    }

    @Test
    func `a relative name continues with the origin, and @ is the origin`() throws {
        let origin = try DomainName("example.")
        #expect(try DomainName("www", origin: origin).description == "www.example.")
        #expect(try DomainName("www.", origin: origin).description == "www.")
        #expect(try DomainName("@", origin: origin) == origin)
        #expect(try DomainName(#"a\."#, origin: origin).description == #"a\..example."#)
    }

    @Test
    func `a name lies under itself and its ancestors, by whole labels`() throws {
        let name = try DomainName("www.shop.test")
        for ancestor in ["www.shop.test", "SHOP.test", "test", "."] {
            #expect(try name.isSubdomain(of: DomainName(ancestor)))
        }
        for stranger in ["hop.test", "a.www.shop.test", "shop.tesu", "www.shop"] {
            #expect(try !name.isSubdomain(of: DomainName(stranger)))
        }
        #expect(name.parent?.parent == (try DomainName("test")))
        #expect(DomainName.root.parent == nil)
    }

    @Test
    func `replacing an ending keeps what stands before it, and its limits (RFC 6672 §2.2)`() throws {
        let name = try DomainName("a.b.old.test")
        let old = try DomainName("old.test")
        #expect(try name.replacing(suffix: old, with: DomainName("new.example")) == DomainName("a.b.new.example"))
        #expect(try name.replacing(suffix: DomainName("other"), with: old) == nil)
        let long = try DomainName(Array(repeating: "a", count: 126).joined(separator: "."))
        #expect(throws: DomainNameError.self) { try name.replacing(suffix: old, with: long) }
    }

    @Test
    func `the canonical order is that of RFC 4034 §6.1`() throws {
        let ordered = try [
            "example", "a.example", "yljkjljk.a.example", "Z.a.example", "zABC.a.EXAMPLE", "z.example",
            #"\001.z.example"#, "*.z.example", #"\200.z.example"#,
        ].map { try DomainName($0) }
        for (left, right) in zip(ordered, ordered.dropFirst()) {
            #expect(left.precedesCanonically(right) && !right.precedesCanonically(left))
        }
        #expect(!ordered[0].precedesCanonically(ordered[0]))
    }

    @Test
    func `the closest ancestor of some is the first of all ancestors that is one of them`() throws {
        let names = try [".", "test", "shop.test", "www.shop.test", "shop.example", "a.b.c.d.www.SHOP.test", "x.test"]
            .map {
                try DomainName($0)
            }
        for name in names {
            for bits in 0..<1 << names.count {
                let wanted = Set(names.indices.filter { bits >> $0 & 1 == 1 }.map { names[$0] })
                let lengths = Set(wanted.map(\.wire.count))
                let found = name.closestAncestor(mayHave: lengths.contains, isWanted: wanted.contains)
                let expected = name.ancestors.first(where: wanted.contains)
                #expect(found?.wire == expected?.wire)
            }
        }
    }

    @Test
    func `drawing letters' case by lot changes nothing else, and can be undone in names that point to the question`()
        throws
    {
        var random = SplitMix64(seed: 20)
        let name = try DomainName("www.Shop-4.test")
        let sent = name.randomizingCase(using: &random)
        #expect(sent == name && !sent.isIdentical(to: name))
        #expect(sent.restoringCase(of: name, sentAs: sent).isIdentical(to: name))

        // An answer's name that ends like the question, and one that has nothing to do with it.
        let below = try sent.prepending(label: Array("Sub".utf8))
        #expect(below.restoringCase(of: name, sentAs: sent).description == "Sub.www.Shop-4.test.")
        let other = try DomainName("Other.EXAMPLE")
        #expect(other.restoringCase(of: name, sentAs: sent).isIdentical(to: other))
    }

    @Test(arguments: [
        ("webHOP.tEST", "webHOP.test."), ("HOP.TEST", "HOP.TEST."), ("sHOP", "shop."), ("tEST.sHOP", "tEST.sHOP."),
        // Made from the question's name, as a DNAME record does it, or a CDN.
        ("sHOP.Other", "shop.Other."), ("sHOP.tEST.Cdn", "shop.test.Cdn."), ("sHOP.tEST", "Shop.test."),
    ])
    func `no label shows how the question was spelt, and other names keep their letters`(
        other: String, expected: String
    ) throws {
        let (name, sent) = (try DomainName("Shop.test"), try DomainName("sHOP.tEST"))
        #expect(try DomainName(other).restoringCase(of: name, sentAs: sent).description == expected)
    }

    @Test
    func `the case of names inside a record is restored as well`() throws {
        let name = try DomainName("shop.test")
        let sent = try DomainName("sHOP.tEST")
        for line in [
            "@ 1 IN CNAME www.@", "@ 1 IN NS ns.@", "@ 1 IN PTR p.@", "@ 1 IN MX 5 mx.@",
            "@ 1 IN SOA ns.@ who.@ 1 2 3 4 5", "@ 1 IN DNAME d.@", "@ 1 IN SRV 1 2 443 s.@",
            "@ 1 IN NAPTR 1 2 \"s\" \"SIP+D2U\" \"\" n.@", "@ 1 IN RP r.@ t.@", "@ 1 IN AFSDB 1 a.@",
        ] {
            func record(_ origin: DomainName) throws -> ResourceRecord {
                try ResourceRecord(
                    presentation: line.replacing("@", with: origin.description), defaultTTL: 0)
            }
            #expect(try record(sent).restoringCase(of: name, sentAs: sent).description == record(name).description)
        }
    }
}
