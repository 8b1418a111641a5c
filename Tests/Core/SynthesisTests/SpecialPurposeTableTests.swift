// SPDX-License-Identifier: Apache-2.0
import CSynthesis
import Foundation
import TestSupport
import Testing
import Translation
import Wire

/// The table of docs/literals.md: the special-purpose IPv4 addresses for which each profile makes an IPv6 address.
@Suite("The table of special-purpose addresses")
struct SpecialPurposeTableTests {
    /// The IANA registry's blocks; a part of a block that is treated differently in some column is a separate row.
    static let blocks: [IPv4Prefix] =
        [
            "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
            "192.0.0.0/29",
            "192.0.0.8/32", "192.0.0.9/32", "192.0.0.10/32", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16",
            "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/5", "255.255.255.255/32",
        ].map { IPv4Prefix($0)! }

    static let columns: [(title: String, isCarried: @Sendable (IPv4Address) -> Bool)] = [
        ("RFC 6052 §3.1", { $0.isGlobal }),
        ("`apple`, 64:ff9b::/96", { isSynthesised($0, SYNTHESIS_APPLE, "64:ff9b::/96") }),
        ("`apple`, other prefixes", { isSynthesised($0, SYNTHESIS_APPLE, "2001:db8:64::/96") }),
        ("`apple-ios9`, `chromium`", { isSynthesised($0, SYNTHESIS_CHROMIUM, "64:ff9b::/96") }),
    ]

    static func isSynthesised(_ address: IPv4Address, _ profile: synthesis_profile, _ prefix: String) -> Bool {
        let answer = ResolveTests().resolve(profile, "\(address)", prefixes: prefix).addresses
        return answer != ["\(address)"] && answer.allSatisfy { $0.contains(":") }
    }

    static func table() -> [String] {
        let head = ["addresses", "what they are"] + columns.map(\.title)
        let rows = blocks.map { block in
            let last = IPv4Address(bits: block.address.bits | (block.length == 32 ? 0 : ~0 >> UInt32(block.length)))
            let cells = columns.map { column in
                switch (column.isCarried(block.address), column.isCarried(last)) {
                case (true, true): "yes"
                case (false, false): "no"
                default: "in part"
                }
            }
            let use = SpecialPurpose<IPv4Prefix>.registry.first { $0.prefix.contains(block.address) }?.use
            return ["\(block)", use ?? "the relays of 6to4 (RFC 7526)"] + cells
        }
        let lines = [head, head.map { _ in "---" }] + rows
        return lines.map { "| " + $0.joined(separator: " | ") + " |" }
    }

    /// `UPDATE_GOLDEN=1` writes it anew.
    @Test func `The table of docs is what the answers are`() throws {
        let path = projectRoot + "docs/literals.md"
        let table = Self.table()
        var lines = try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n")
        let start = try #require(lines.firstIndex { $0.hasPrefix("| addresses | what they are |") })
        let end = lines[start...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            lines.replaceSubrange(start..<end, with: table)
            try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        } else {
            #expect(Array(lines[start..<end]) == table)
        }
        #expect(!table.contains { $0.contains("in part") }, "a block whose ends differ needs a row for each part")
    }

    @Test func `Two profiles share a column, since both synthesise every address`() {
        for block in Self.blocks {
            for prefix in ["64:ff9b::/96", "2001:db8:64::/96"] {
                for profile in [SYNTHESIS_APPLE_IOS9, SYNTHESIS_CHROMIUM] {
                    #expect(Self.isSynthesised(block.address, profile, prefix), "\(block)")
                }
            }
        }
    }
}
