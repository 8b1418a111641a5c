// The case of a name's letters as a secret: an answer that has them as they were asked did not come from somebody who could
// not see the question (draft-vixie-dnsext-dns0x20).

extension DomainName {
    /// The name with the case of each ASCII letter drawn by lot.
    public func randomizingCase(using random: inout some RandomNumberGenerator) -> DomainName {
        var wire = wire
        var bits: UInt64 = 0
        for index in wire.indices {
            if index % 64 == 0 { bits = random.next() }
            let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercase(wire[index]))
            if isLetter, bits >> UInt64(index % 64) & 1 == 1 { wire[index] ^= 0x20 }
        }
        return DomainName(validWire: wire)
    }

    /// The name with the ending that it shares with `sent` as it is in `original`, of which `sent` is another spelling: names
    /// in an answer are often pointers to the question's.
    public func restoringCase(of original: DomainName, sentAs sent: DomainName) -> DomainName {
        guard original.wire.count == sent.wire.count else { return self }
        var wire = wire
        var offset = 1
        while offset <= min(wire.count, sent.wire.count),
            wire[wire.count - offset] == sent.wire[sent.wire.count - offset]
        {
            wire[wire.count - offset] = original.wire[original.wire.count - offset]
            offset += 1
        }
        return DomainName(validWire: wire)
    }
}

extension ResourceRecord {
    /// The record with its names as `DomainName.restoringCase` has them.
    public func restoringCase(of original: DomainName, sentAs sent: DomainName) -> ResourceRecord {
        var record = self
        record.name = name.restoringCase(of: original, sentAs: sent)
        record.data = data.restoringCase(of: original, sentAs: sent)
        return record
    }
}

extension RecordData {
    fileprivate func restoringCase(of original: DomainName, sentAs sent: DomainName) -> RecordData {
        func restored(_ name: DomainName) -> DomainName { name.restoringCase(of: original, sentAs: sent) }
        switch self {
        case .ns(let name): return .ns(restored(name))
        case .cname(let name): return .cname(restored(name))
        case .ptr(let name): return .ptr(restored(name))
        case .mx(let preference, let exchange): return .mx(preference: preference, exchange: restored(exchange))
        case .soa(var soa):
            soa.primary = restored(soa.primary)
            soa.mailbox = restored(soa.mailbox)
            return .soa(soa)
        // These are not compressed (RFC 3597 §4, RFC 6672 §2.5), so they never point to the question.
        case .a, .aaaa, .dname, .other: return self
        }
    }
}
