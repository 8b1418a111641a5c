// SPDX-License-Identifier: Apache-2.0
import Randomness
import Testing
import Wire

@testable import Origins

@Suite struct WordScanTests {
    private static let characters = Array("0123456789abcdefABCDEF.:".utf8)

    /// The slow reference: reads every octet.
    private func words(in octets: [UInt8], step: Int, shortest: Int) -> [Int: [UInt8]] {
        func isWord(_ place: Int) -> Bool {
            place + step <= octets.count && Self.characters.contains(octets[place])
                && (step == 1 || octets[place + 1] == 0)
        }
        var found: [Int: [UInt8]] = [:]
        for start in octets.indices where isWord(start) && !(start >= step && isWord(start - step)) {
            let places = sequence(first: start) { isWord($0 + step) ? $0 + step : nil }
            let word = places.map { octets[$0] }
            let (dots, colons) = (word.count { $0 == UInt8(ascii: ".") }, word.count { $0 == UInt8(ascii: ":") })
            let mayBeAddress = dots >= 3 || colons >= 2 || dots + colons == 0 && (7...10).contains(word.count)
            if (shortest...128).contains(word.count), mayBeAddress { found[start] = word }
        }
        return found
    }

    @Test(arguments: 0..<400) func `a scan finds the same words as a search of every octet`(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let others = Array("xyz 0\n".utf8) + [0, 0, 255]
        // Between words here and there and words nearly everywhere.
        let share = Int.random(in: 20...98, using: &random)
        var octets: [UInt8] = []
        for _ in 0..<Int.random(in: 0...600, using: &random) {
            let isWord = Int.random(in: 0..<100, using: &random) < share
            octets.append((isWord ? Self.characters : others).randomElement(using: &random)!)
            if seed % 3 == 0, Int.random(in: 0..<100, using: &random) < share { octets.append(0) }
        }
        for (address, shortest) in [("198.51.100.31", 7), ("2600::", 5)] {
            let scan = WordScan(of: [IPAddress(address)!])
            var found: [Int: [UInt8]] = [:]
            scan.forEachWord(in: octets.span, withWide: false) { found[$0.offset] = $0.octets }
            #expect(found == words(in: octets, step: 1, shortest: shortest))
            scan.forEachWord(in: octets.span, withWide: true) { found[$0.offset] = $0.octets }
            let wide = words(in: octets, step: 2, shortest: shortest)
            #expect(found == words(in: octets, step: 1, shortest: shortest).merging(wide) { $1 })
        }
    }
}
