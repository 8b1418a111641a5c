import Foundation
import Testing
import Translation
import TestSupport

@Suite struct DropReasonTests {
    @Test func `names are distinct and kebab case`() {
        let names = DropReason.allCases.map(\.name)
        #expect(Set(names).count == names.count)
        for name in names {
            #expect(name.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d })
        }
    }

    @Test func `The table in docs has every reason, as the program explains it, and no other`() throws {
        let page = try String(contentsOfFile: projectRoot + "docs/drop-reasons.md", encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
        for reason in DropReason.allCases {
            #expect(rows.contains { $0.hasPrefix("| `\(reason.name)` | \(reason.explanation) |") }, "\(reason.name)")
        }
        #expect(rows.count == DropReason.allCases.count)
    }

    @Test func `every reason has its own counter`() {
        var counters = DropCounters()
        for (index, reason) in DropReason.allCases.enumerated() {
            for _ in 0...index { counters.count(reason) }
        }
        for (index, reason) in DropReason.allCases.enumerated() { #expect(counters[reason] == UInt64(index + 1)) }
    }
}
