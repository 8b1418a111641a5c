// SPDX-License-Identifier: Apache-2.0
extension IPv4Address: Codable {
    /// In presentation format.
    public init(from decoder: any Decoder) throws {
        self = try decoder.address { IPv4Address($0) }
    }

    public func encode(to encoder: any Encoder) throws {
        try encoder.encode(address: self)
    }
}

extension IPv6Address: Codable {
    /// In presentation format.
    public init(from decoder: any Decoder) throws {
        self = try decoder.address { IPv6Address($0) }
    }

    public func encode(to encoder: any Encoder) throws {
        try encoder.encode(address: self)
    }
}

extension IPAddress: Codable {
    /// In presentation format, without the family.
    public init(from decoder: any Decoder) throws {
        self = try decoder.address { IPAddress($0) }
    }

    public func encode(to encoder: any Encoder) throws {
        try encoder.encode(address: self)
    }
}

extension Decoder {
    fileprivate func address<Address>(_ read: (String) -> Address?) throws -> Address {
        let container = try singleValueContainer()
        let text = try container.decode(String.self)
        guard let address = read(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text) is no address")
        }
        return address
    }
}

extension Encoder {
    fileprivate func encode(address: some CustomStringConvertible) throws {
        var container = singleValueContainer()
        try container.encode(address.description)
    }
}
