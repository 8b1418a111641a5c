// SPDX-License-Identifier: Apache-2.0
import Wire

// Records as text: RFC 1035 §5.1, RFC 3597 §5.

extension RecordData {
    /// Reads the data of a record in the form of a zone file, such as `10 mail.test.` for an MX record. Names without a final dot are
    /// relative to `origin`, by default the root.
    public init(
        type: RecordType, presentation text: some StringProtocol, origin: DomainName = .root
    ) throws(PresentationError) {
        var scanner = PresentationScanner(text)
        let entry = try scanner.nextEntry()
        self = try RecordData(type: type, recordClass: .internet, tokens: entry?.tokens[...] ?? [], origin: origin)
        guard try scanner.nextEntry() == nil else { throw .excessLine }
    }

    init(
        type: RecordType, recordClass: RecordClass, tokens: ArraySlice<PresentationToken>, origin: DomainName
    ) throws(PresentationError) {
        if type.isMeta { throw .metaType(type) }
        var fields = PresentationFields(type: type, recordClass: recordClass, origin: origin, tokens: tokens)
        let octets = try fields.takeData()
        if octets.count > Int(UInt16.max) { throw .dataTooLong(type, length: octets.count) }
        do {
            var reader = RecordReader(octets.span)
            self = try reader.takeData(type: type, recordClass: recordClass, length: octets.count)
        } catch {
            // Only the opaque form can contain data that is invalid for the type.
            throw .badOpaqueData(type)
        }
    }
}

extension ResourceRecord {
    /// Reads one record in the form of a zone file: `www.shop.test. 300 IN CNAME shop.test.`
    ///
    /// TTL and class may be missing or in either order; by default the class is IN and the TTL `defaultTTL`. A name without a final dot is
    /// relative to `origin`, by default the root, so that it is absolute as well.
    public init(
        presentation line: some StringProtocol, defaultTTL: UInt32, origin: DomainName = .root
    ) throws(PresentationError) {
        var scanner = PresentationScanner(line)
        guard let entry = try scanner.nextEntry() else { throw .emptyLine }
        guard try scanner.nextEntry() == nil else { throw .excessLine }
        self = try ResourceRecord(entry: entry, previousName: nil, defaultTTL: defaultTTL, origin: origin)
    }

    init(
        entry: PresentationEntry, previousName: DomainName?, defaultTTL: UInt32, origin: DomainName
    ) throws(PresentationError) {
        var tokens = entry.tokens[...]
        let name: DomainName
        if entry.startsWithBlank, let previousName {
            name = previousName
        } else if let token = tokens.popFirst() {
            name = try DomainName(token: token, origin: origin)
        } else {
            throw .emptyLine
        }

        var ttl: UInt32?
        var recordClass: RecordClass?
        while let token = tokens.popFirst() {
            let word = token.string
            if ttl == nil, let seconds = PresentationTime.ttl(word) {
                ttl = seconds
            } else if recordClass == nil, let named = RecordClass(word) {
                recordClass = named
            } else if let type = RecordType(word) {
                let recordClass = recordClass ?? .internet
                let data = try RecordData(type: type, recordClass: recordClass, tokens: tokens, origin: origin)
                self.init(name: name, recordClass: recordClass, ttl: ttl ?? defaultTTL, data: data)
                return
            } else {
                throw .unknownType(word)
            }
        }
        throw .missingType
    }
}

// MARK: - Writing

extension ResourceRecord: CustomStringConvertible {
    /// The record as a line of a zone file, its parts separated by single blanks.
    public var description: String { "\(name) \(ttl) \(recordClass) \(type) \(data)" }
}

extension RecordData: CustomStringConvertible {
    /// The data in the form of a zone file.
    public var description: String {
        switch self {
        case .a(let address): address.description
        case .aaaa(let address): address.description
        case .ns(let name), .cname(let name), .dname(let name), .ptr(let name): name.description
        case .mx(let preference, let exchange): "\(preference) \(exchange)"
        case .soa(let soa):
            "\(soa.primary) \(soa.mailbox) \(soa.serial) \(soa.refresh) \(soa.retry) \(soa.expire) \(soa.minimum)"
        case .other(let type, let octets): typedText(type) ?? Self.opaqueText(octets)
        }
    }

    /// The form of the type, if it represents all of the data: received data may have a layout that the form cannot express.
    private func typedText(_ type: RecordType) -> String? {
        guard case .other(_, let octets) = self, let text = RecordFieldText.text(of: type, octets) else { return nil }
        return (try? RecordData(type: type, presentation: text)) == self ? text : nil
    }

    /// `\# LENGTH HEXADECIMAL` (RFC 3597 §5).
    private static func opaqueText(_ octets: [UInt8]) -> String {
        "\\# \(octets.count)" + (octets.isEmpty ? "" : " " + Hexadecimal.encode(octets))
    }
}
