// SPDX-License-Identifier: Apache-2.0
/// A resource record type or a query type: a number, with a name where one was assigned (RFC 1035 §3.2.2, RFC 3597 §5).
public struct RecordType: RawRepresentable, Codable, Hashable, Sendable {
    public let rawValue: UInt16

    @inline(always)
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    public static let a = RecordType(rawValue: 1)
    public static let ns = RecordType(rawValue: 2)
    public static let cname = RecordType(rawValue: 5)
    public static let soa = RecordType(rawValue: 6)
    public static let ptr = RecordType(rawValue: 12)
    public static let hinfo = RecordType(rawValue: 13)
    public static let mx = RecordType(rawValue: 15)
    public static let txt = RecordType(rawValue: 16)
    public static let rp = RecordType(rawValue: 17)
    public static let afsdb = RecordType(rawValue: 18)
    public static let aaaa = RecordType(rawValue: 28)
    public static let srv = RecordType(rawValue: 33)
    public static let naptr = RecordType(rawValue: 35)
    public static let dname = RecordType(rawValue: 39)
    public static let opt = RecordType(rawValue: 41)
    public static let ds = RecordType(rawValue: 43)
    public static let sshfp = RecordType(rawValue: 44)
    public static let rrsig = RecordType(rawValue: 46)
    public static let nsec = RecordType(rawValue: 47)
    public static let dnskey = RecordType(rawValue: 48)
    public static let nsec3 = RecordType(rawValue: 50)
    public static let nsec3param = RecordType(rawValue: 51)
    public static let tlsa = RecordType(rawValue: 52)
    public static let cds = RecordType(rawValue: 59)
    public static let cdnskey = RecordType(rawValue: 60)
    public static let svcb = RecordType(rawValue: 64)
    public static let https = RecordType(rawValue: 65)
    public static let spf = RecordType(rawValue: 99)
    public static let axfr = RecordType(rawValue: 252)
    public static let ixfr = RecordType(rawValue: 251)
    public static let any = RecordType(rawValue: 255)
    public static let caa = RecordType(rawValue: 257)

    /// Whether it is a type for questions only: a QTYPE (RFC 1035 §3.2.3) or a meta-type (RFC 6895 §3.1), including OPT.
    public var isMeta: Bool { self == .opt || (128...255).contains(rawValue) && self != .spf }

    private static let names: [RecordType: String] = [
        .a: "A", .ns: "NS", .cname: "CNAME", .soa: "SOA", .ptr: "PTR", .hinfo: "HINFO", .mx: "MX", .txt: "TXT",
        .rp: "RP", .afsdb: "AFSDB", .aaaa: "AAAA", .srv: "SRV", .naptr: "NAPTR", .dname: "DNAME", .opt: "OPT",
        .ds: "DS", .sshfp: "SSHFP", .rrsig: "RRSIG", .nsec: "NSEC", .dnskey: "DNSKEY", .nsec3: "NSEC3",
        .nsec3param: "NSEC3PARAM", .tlsa: "TLSA", .cds: "CDS", .cdnskey: "CDNSKEY", .svcb: "SVCB", .https: "HTTPS",
        .spf: "SPF", .axfr: "AXFR", .ixfr: "IXFR", .any: "ANY", .caa: "CAA",
    ]
    private static let numbers = Dictionary(uniqueKeysWithValues: names.map { ($0.value, $0.key) })
}

extension RecordType: CustomStringConvertible {
    /// The assigned name, or `TYPE` and the number.
    public var description: String { Self.names[self] ?? "TYPE\(rawValue)" }

    /// Reads a name in any case, or `TYPE` and a number.
    public init?(_ text: some StringProtocol) {
        let upper = text.uppercased()
        if let known = Self.numbers[upper] {
            self = known
        } else if let number = numberBehind("TYPE", in: upper) {
            self.init(rawValue: number)
        } else {
            return nil
        }
    }
}

/// A class of records (RFC 1035 §3.2.4). Almost always `internet`.
public struct RecordClass: RawRepresentable, Codable, Hashable, Sendable {
    public let rawValue: UInt16

    @inline(always)
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    public static let internet = RecordClass(rawValue: 1)
    public static let chaos = RecordClass(rawValue: 3)
    public static let hesiod = RecordClass(rawValue: 4)
    public static let none = RecordClass(rawValue: 254)
    public static let any = RecordClass(rawValue: 255)

    private static let names: [RecordClass: String] = [
        .internet: "IN", .chaos: "CH", .hesiod: "HS", .none: "NONE", .any: "ANY",
    ]
    private static let numbers = Dictionary(uniqueKeysWithValues: names.map { ($0.value, $0.key) })
}

extension RecordClass: CustomStringConvertible {
    /// The assigned mnemonic, or `CLASS` and the number.
    public var description: String { Self.names[self] ?? "CLASS\(rawValue)" }

    /// Reads a mnemonic in any case, or `CLASS` and a number. `ANY` is read as a type only, so `CLASS255` is its text here.
    public init?(_ text: some StringProtocol) {
        let upper = text.uppercased()
        if let known = Self.numbers[upper], known != .any {
            self = known
        } else if let number = numberBehind("CLASS", in: upper) {
            self.init(rawValue: number)
        } else {
            return nil
        }
    }
}

/// The number of `TYPE65280` or `CLASS32` (RFC 3597 §5): decimal digits alone.
private func numberBehind(_ word: String, in text: String) -> UInt16? {
    let digits = text.dropFirst(word.count)
    guard text.hasPrefix(word), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return UInt16(digits)
}
