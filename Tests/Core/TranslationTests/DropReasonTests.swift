// SPDX-License-Identifier: Apache-2.0
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

    @Test(
        arguments: [
            (.nonGlobalIPv4, .routing), (.portsExhausted, .limit), (.hostQuotaExceeded, .limit),
            (.fragmentStoreFull, .limit), (.filtered, .routing), (.truncated, .routing), (.illegalSource, .routing),
            (.fragmentsExpired, .routing), (.unsupportedTransport, .untranslatable),
            (.icmpTypeNotTranslated, .untranslatable), (.illegalDestination, .background),
        ] as [(DropReason, DropReason.Kind)])
    func `a drop reason is of the kind that its sentence says`(
        _ reason: DropReason, _ kind: DropReason.Kind
    ) {
        #expect(reason.kind == kind)
    }

    @Test func `a drop comes back from JSON under its reason's name`() throws {
        for reason in DropReason.allCases {
            let drop = Drop(reason: reason, count: 2, example: "a → b")
            let text = try JSONEncoder().encode(drop)
            #expect(String(decoding: text, as: UTF8.self).contains("\"\(reason.name)\""))
            #expect(try JSONDecoder().decode(Drop.self, from: text) == drop)
        }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(DropReason.self, from: Data("\"x\"".utf8)) }
    }
}
