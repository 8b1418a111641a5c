// SPDX-License-Identifier: Apache-2.0
/// Entries of a list, at most as many as were requested, and their total number.
package struct Listing<Item: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    package var items: [Item]
    package var total: Int

    package init(_ items: [Item], total: Int) {
        self.items = items
        self.total = total
    }

    /// A complete list.
    package init(_ items: [Item]) {
        self.init(items, total: items.count)
    }
}
