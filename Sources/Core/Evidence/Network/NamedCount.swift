/// Something that the NAT64 counts.
package struct NamedCount: Codable, Hashable, Sendable {
    package var name: String
    package var count: UInt64

    package init(name: String, count: UInt64) {
        self.name = name
        self.count = count
    }
}
