// SPDX-License-Identifier: Apache-2.0
// The case of a name's letters as a secret: an answer that repeats it did not come from an attacker without access to the question
// (draft-vixie-dnsext-dns0x20).

extension DomainName {
    /// The name with the case of each ASCII letter chosen at random.
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

    /// The name without the letters of `sent`, which is another spelling of `original`. The labels at its end that equal those of `sent`,
    /// to the letter, get the spelling of `original`, as names in an answer are often pointers to the question's. Such labels at its
    /// beginning get lower case: a server has made the name from the question's.
    public func restoringCase(of original: DomainName, sentAs sent: DomainName) -> DomainName {
        guard original.wire.count == sent.wire.count else { return self }
        // Usually it is the name of the question.
        if wire == sent.wire { return original }
        let (own, theirs) = (labels, sent.labels)
        let last = zip(own.reversed(), theirs.reversed()).prefix { $0.elementsEqual($1) }.count
        let first = zip(own, theirs).prefix { $0.elementsEqual($1) }.count
        if first == 0, last == 0 { return self }
        var wire = wire
        for label in own.prefix(first) {
            for index in label.indices { wire[index] = lowercase(wire[index]) }
        }
        // The root's zero and the length octets are the same in both.
        let offset = own.dropFirst(own.count - last).first?.startIndex ?? wire.count
        wire.replaceSubrange(offset..., with: original.wire.suffix(wire.count - offset))
        return DomainName(validWire: wire)
    }
}

extension ResourceRecord {
    /// The record with the names changed by `DomainName.restoringCase`.
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
        case .dname(let name): return .dname(restored(name))
        // Names that some servers compress nevertheless (RFC 3597 §4). All others stay as they are: a signature may cover their letters
        // (RFC 6840 §5.1).
        case .other(let type, let octets) where type.mayBeCompressed:
            return .other(type, Self.restoringNames(in: octets, type.fields ?? [], restored))
        case .a, .aaaa, .other: return self
        }
    }

    private static func restoringNames(
        in octets: [UInt8], _ fields: [RecordField], _ restored: (DomainName) -> DomainName
    ) -> [UInt8] {
        var reader = RecordReader(octets.span)
        var whole: [UInt8] = []
        do throws(MessageError) {
            for field in fields {
                switch field {
                case .name: whole += restored(try reader.takeName()).wire
                case .integer16: whole += try reader.take(2)
                case .string:
                    let length = try reader.takeInteger8()
                    whole += [length] + (try reader.take(Int(length)))
                default: whole += try reader.take(reader.available)
                }
            }
        } catch {
            return octets
        }
        return whole
    }
}
