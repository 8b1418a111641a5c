// SPDX-License-Identifier: Apache-2.0
/// A count, with the name that is written to files.
public struct NamedCount: Codable, Hashable, Sendable {
    public var name: String
    public var count: UInt64

    public init(_ name: String, _ count: UInt64) {
        self.name = name
        self.count = count
    }
}
