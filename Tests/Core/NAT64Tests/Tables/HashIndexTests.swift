// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import NAT64

/// The index against a dictionary.
@Suite struct HashIndexTests {
    @Test(arguments: [0xffff_ffff, 0xff, 0x3, 0x0] as [UInt32])
    func `whatever is inserted and removed is found, or not, as in a dictionary`(hashMask: UInt32) {
        // A small mask makes long runs, so removal has to move many slots back.
        func hash(_ entry: UInt32) -> UInt32 { (entry &* 2_654_435_761) & hashMask }
        var random = SeededRandom(seed: UInt64(hashMask))
        var index = HashIndex()
        var entries: Set<UInt32> = []
        for _ in 0..<3_000 {
            let entry = UInt32(random.below(400))
            if entries.contains(entry) {
                index.remove(entry, hash: hash(entry))
                entries.remove(entry)
            } else {
                index.insert(entry, hash: hash(entry))
                entries.insert(entry)
            }
            let asked = UInt32(random.below(400))
            #expect(index.find(hash(asked)) { $0 == asked } == (entries.contains(asked) ? asked : nil))
            #expect(index.count == entries.count)
        }
        for entry in 0..<UInt32(400) {
            #expect((index.find(hash(entry)) { $0 == entry } != nil) == entries.contains(entry))
        }
    }

    @Test
    func `entries with one hash are told apart by their keys`() {
        var index = HashIndex()
        for entry in 0..<UInt32(100) { index.insert(entry, hash: 7) }
        for entry in 0..<UInt32(100) { #expect(index.find(7) { $0 == entry } == entry) }
        #expect(index.find(7) { _ in false } == nil)
    }
}
