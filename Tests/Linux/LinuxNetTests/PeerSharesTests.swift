// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Testing

@Suite("Shares of what there is") struct PeerSharesTests {
    private func taken(_ shares: inout PeerShares, by user: UInt32) -> Int {
        var count = 0
        while shares.take(for: user) { count += 1 }
        return count
    }

    @Test func `one user has a large part, and each further one a part of the rest`() {
        var shares = PeerShares(64, own: 1)
        let parts = [UInt32(1001), 1002, 1003].map { taken(&shares, by: $0) }
        #expect(parts == [28, 14, 7])
        #expect(
            shares.objection(to: 1001, of: "slots") == "user 1001 has 28 of the 64 slots, which is a user's share now")
        shares = PeerShares(32, factor: 3, own: 1)
        let places = [UInt32(1001), 1002, 1003].map { taken(&shares, by: $0) }
        #expect(places == [21, 5, 1])
    }

    @Test(arguments: [UInt32(0), 4711])
    func `root and the own user have what is left`(_ user: UInt32) {
        var shares = PeerShares(64, own: 4711)
        for stranger in UInt32(1000)..<2000 { _ = taken(&shares, by: stranger) }
        #expect(shares.free == 8)
        let rest = taken(&shares, by: user)
        #expect(rest == 8)
        #expect(shares.objection(to: 3000, of: "slots") == "all 64 slots are in use")
        shares.give(back: user)
        #expect(shares.free == 1)
        #expect(!shares.admits(3000))
    }

    @Test(arguments: 1...16)
    func `who has none finds one, however few there are`(_ capacity: Int) {
        var shares = PeerShares(capacity, factor: 3, own: 1)
        let first = taken(&shares, by: 1001)
        #expect(first >= 1)
        #expect(capacity == 1 || shares.admits(1002))
    }

    @Test func `of a single one everybody has all`() {
        var shares = PeerShares(1, own: 1)
        let first = shares.take(for: 1001)
        let second = shares.take(for: 1002)
        #expect(first && !second)
        shares.give(back: 1001)
        #expect(shares.admits(1002))
    }
}
