// SPDX-License-Identifier: Apache-2.0
public import Wire

/// The data of a record.
///
/// Types that a resolver interprets have their own cases. All others are octets in the form of RDATA without compressed names; if the
/// type's fields are known (`RecordField`), these are used to uncompress names and to convert the data from and to text.
public enum RecordData: Hashable, Sendable {
    case a(IPv4Address)
    case aaaa(IPv6Address)
    case ns(DomainName)
    case cname(DomainName)
    case dname(DomainName)
    case ptr(DomainName)
    case mx(preference: UInt16, exchange: DomainName)
    case soa(StartOfAuthority)
    case other(RecordType, [UInt8])

    public var type: RecordType {
        switch self {
        case .a: .a
        case .aaaa: .aaaa
        case .ns: .ns
        case .cname: .cname
        case .dname: .dname
        case .ptr: .ptr
        case .mx: .mx
        case .soa: .soa
        case .other(let type, _): type
        }
    }
}

/// The data of a SOA record (RFC 1035 §3.3.13).
public struct StartOfAuthority: Hashable, Sendable {
    /// MNAME: the primary server of the zone.
    public var primary: DomainName
    /// RNAME: the mailbox of the person responsible.
    public var mailbox: DomainName
    public var serial: UInt32
    /// Seconds.
    public var refresh: UInt32
    /// Seconds.
    public var retry: UInt32
    /// Seconds.
    public var expire: UInt32
    /// Seconds for which a negative answer may be cached, at most (RFC 2308 §4).
    public var minimum: UInt32

    public init(
        primary: DomainName, mailbox: DomainName, serial: UInt32, refresh: UInt32, retry: UInt32, expire: UInt32,
        minimum: UInt32
    ) {
        self.primary = primary
        self.mailbox = mailbox
        self.serial = serial
        self.refresh = refresh
        self.retry = retry
        self.expire = expire
        self.minimum = minimum
    }
}

/// A resource record (RFC 1035 §3.2.1).
public struct ResourceRecord: Hashable, Sendable {
    public var name: DomainName
    public var recordClass: RecordClass
    /// Seconds; at most 2³¹ − 1, a larger value is read as zero (RFC 2181 §8).
    public var ttl: UInt32
    public var data: RecordData

    public init(name: DomainName, recordClass: RecordClass = .internet, ttl: UInt32, data: RecordData) {
        self.name = name
        self.recordClass = recordClass
        self.ttl = ttl
        self.data = data
    }

    public var type: RecordType { data.type }

    /// Seconds (RFC 2181 §8).
    public static let maximumTTL: UInt32 = 0x7fff_ffff
}
