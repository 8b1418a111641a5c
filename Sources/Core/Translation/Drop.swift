// SPDX-License-Identifier: Apache-2.0
/// Packets that were dropped for one reason.
public struct Drop: Codable, Hashable, Sendable {
    public var reason: DropReason
    public var count: UInt64
    /// A one-line description of the first such packet.
    public var example: String

    public init(reason: DropReason, count: UInt64, example: String) {
        self.reason = reason
        self.count = count
        self.example = example
    }
}

extension DropReason: Codable {
    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

    /// Decoded by name, as raw values may change.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let reason = Self.byName[name] else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(name) is no drop reason")
        }
        self = reason
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
