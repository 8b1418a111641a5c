// SPDX-License-Identifier: Apache-2.0
// Names and records as one JSON value each: a name in presentation format, a record as the hexadecimal digits of its octets, which is exact
// for every type.

extension DomainName: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do throws(DomainNameError) {
            try self.init(text)
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text): \(error)")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension ResourceRecord: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let octets = Hexadecimal.decode(text.utf8) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text) is not hexadecimal")
        }
        var reader = RecordReader(octets.span)
        do throws(MessageError) {
            self = try reader.takeRecord()
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text): \(error)")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        var writer = MessageWriter()
        writer.write(self)
        try container.encode(Hexadecimal.encode(writer.bytes))
    }
}

extension RecordData: Codable {
    /// Coded as the data of a record of the root.
    public init(from decoder: any Decoder) throws {
        self = try ResourceRecord(from: decoder).data
    }

    public func encode(to encoder: any Encoder) throws {
        try ResourceRecord(name: .root, ttl: 0, data: self).encode(to: encoder)
    }
}
