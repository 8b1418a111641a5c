/// Entries of a list, at most as many as were asked for, and how many there are.
public struct Listing<Item: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    public var items: [Item]
    public var total: Int

    public init(_ items: [Item], total: Int) {
        self.items = items
        self.total = total
    }

    /// A list that is whole.
    public init(_ items: [Item]) {
        self.init(items, total: items.count)
    }
}
