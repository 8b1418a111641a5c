// SPDX-License-Identifier: Apache-2.0
/// One field of a record's data, which determines its form in a zone file and on the wire.
///
/// The RDATA of every known type is a list of these, so that one reader, one writer and one checker handle all of them.
enum RecordField: Sendable {
    case ipv4
    case ipv6
    case integer8
    case integer16
    case integer32
    /// A time span: seconds, or BIND's `1h30m`.
    case duration
    /// A point in time of RRSIG: YYYYMMDDHHmmSS or seconds since 1970 (RFC 4034 §3.2).
    case timestamp
    case recordType
    case name
    /// A character-string: a length octet and up to 255 octets (RFC 1035 §3.3).
    case string
    /// One or more character-strings, to the end.
    case strings
    /// Text to the end without a length octet: the value of CAA (RFC 8659 §4.1).
    case text
    /// To the end, as hexadecimal.
    case hexadecimal
    /// After a length octet, as hexadecimal, `-` if empty: NSEC3's salt.
    case salt
    /// After a length octet, as base32hex: NSEC3's hash.
    case hash
    /// To the end, as base64.
    case base64
    /// To the end: the type bit maps of RFC 4034 §4.1.2.
    case typeBitmap
    /// To the end: the SvcParams of RFC 9460 §2.
    case serviceParameters
}

extension RecordType {
    /// The fields of the data, and nil for types that are opaque (RFC 3597).
    var fields: [RecordField]? { Self.layouts[self] }

    /// The layouts of A and AAAA apply to class IN alone (RFC 1035 §3.4).
    func fields(in recordClass: RecordClass) -> [RecordField]? {
        recordClass != .internet && (self == .a || self == .aaaa) ? nil : fields
    }

    private static let layouts: [RecordType: [RecordField]] = [
        .a: [.ipv4],
        .aaaa: [.ipv6],
        .ns: [.name],
        .cname: [.name],
        .dname: [.name],
        .ptr: [.name],
        .soa: [.name, .name, .integer32, .duration, .duration, .duration, .duration],
        .mx: [.integer16, .name],
        .txt: [.strings],
        .spf: [.strings],
        .hinfo: [.string, .string],
        .rp: [.name, .name],
        .afsdb: [.integer16, .name],
        .srv: [.integer16, .integer16, .integer16, .name],
        .naptr: [.integer16, .integer16, .string, .string, .string, .name],
        .caa: [.integer8, .string, .text],
        .sshfp: [.integer8, .integer8, .hexadecimal],
        .tlsa: [.integer8, .integer8, .integer8, .hexadecimal],
        .ds: [.integer16, .integer8, .integer8, .hexadecimal],
        .dnskey: [.integer16, .integer8, .integer8, .base64],
        .cds: [.integer16, .integer8, .integer8, .hexadecimal],
        .cdnskey: [.integer16, .integer8, .integer8, .base64],
        .rrsig: [
            .recordType, .integer8, .integer8, .integer32, .timestamp, .timestamp, .integer16, .name, .base64,
        ],
        .nsec: [.name, .typeBitmap],
        .nsec3: [.integer8, .integer8, .integer16, .salt, .hash, .typeBitmap],
        .nsec3param: [.integer8, .integer8, .integer16, .salt],
        .svcb: [.integer16, .name, .serviceParameters],
        .https: [.integer16, .name, .serviceParameters],
    ]

    /// Whether it is a type later than RFC 1035 whose names old software compressed, so that a reader must expand them (RFC 3597 §4).
    var mayBeCompressed: Bool {
        switch self {
        case .srv, .rp, .afsdb, .naptr: true
        default: false
        }
    }
}

extension RecordField {
    /// A description of the field, with a valid example, for messages about a missing or invalid field.
    var expectation: String {
        switch self {
        case .ipv4: "an IPv4 address, such as 192.0.2.1"
        case .ipv6: "an IPv6 address, such as 2001:db8::1"
        case .integer8: "a number from 0 to 255"
        case .integer16: "a number from 0 to 65535"
        case .integer32: "a number from 0 to 4294967295"
        case .duration: "a time in seconds, or such as 1h30m"
        case .timestamp: "a time as YYYYMMDDHHmmSS or in seconds since 1970"
        case .recordType: "a record type, such as AAAA"
        case .name: "a domain name, such as shop.test"
        case .string: "a string of up to 255 octets"
        case .strings: "one string or more, of up to 255 octets each"
        case .text: "a string"
        case .hexadecimal: "hexadecimal digits, two for each octet"
        case .salt: "a salt in hexadecimal, or - for none"
        case .hash: "a hash in base32hex"
        case .base64: "base64"
        case .typeBitmap: "a list of record types"
        case .serviceParameters: "parameters such as alpn=h2,h3 port=8443"
        }
    }
}
