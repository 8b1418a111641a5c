// SPDX-License-Identifier: Apache-2.0
import Wire

extension IPv4Prefix {
    /// The fewest prefixes that hold these addresses and no others.
    static func covering(_ addresses: some Sequence<IPv4Address>) -> [IPv4Prefix] {
        var covering: [IPv4Prefix] = []
        for address in Set(addresses).sorted() {
            covering.append(IPv4Prefix(address, length: 32)!)
            // Two adjacent halves are joined to one prefix.
            while covering.count > 1, let whole = covering[covering.count - 2].joined(covering[covering.count - 1]) {
                covering.removeLast(2)
                covering.append(whole)
            }
        }
        return covering
    }

    private func joined(_ next: IPv4Prefix) -> IPv4Prefix? {
        guard length == next.length, length > 0, let whole = IPv4Prefix(address, length: length - 1),
            whole.contains(next.address)
        else { return nil }
        return whole
    }
}
