// SPDX-License-Identifier: Apache-2.0
/// One of several parts into which the tests of a suite are divided: `2/4`.
package struct Shard: Hashable, Sendable {
    /// From 1.
    package let number: Int
    package let count: Int

    package static let maximum = 10_000

    /// `nil` if there is no such shard.
    package init?(_ number: Int, of count: Int) {
        guard (1...Self.maximum).contains(count), (1...count).contains(number) else { return nil }
        self.number = number
        self.count = count
    }

    /// `2/4`
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let number = Int(parts[0]), let count = Int(parts[1])
        else { return nil }
        self.init(number, of: count)
    }

    /// Decided by the hash of the test's name: all networks of a test are in one shard, and a new test moves no other.
    package func contains(_ element: SuiteCase) -> Bool { contains(test: element.test.name) }

    package func contains(test name: String) -> Bool { Int(Self.hash(name) % UInt64(count)) == number - 1 }

    /// FNV-1a with 64 bits, and a final mix, as its low bits alone distribute short names badly.
    private static func hash(_ name: String) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for octet in name.utf8 { hash = (hash ^ UInt64(octet)) &* 0x100_0000_01b3 }
        hash = (hash ^ hash >> 33) &* 0xff51_afd7_ed55_8ccd
        return hash ^ hash >> 33
    }
}

extension Shard: CustomStringConvertible {
    package var description: String { "\(number)/\(count)" }
}
