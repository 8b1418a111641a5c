// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Topology

@Suite struct ConditionPresetTests {
    /// The table of docs/conditions.md, made of the presets.
    private static let table =
        ["| name | to your program | from your program | source |", "| --- | --- | --- | --- |"]
        + ConditionPreset.all.map { preset in
            let conditions = preset.conditions
            return
                "| `\(preset.name)` | \(cell(conditions.down, dns: conditions.dnsDelay)) | \(cell(conditions.up)) | \(preset.source.rawValue) |"
        }

    private static func cell(_ direction: Conditions.Direction, dns: Duration = .zero) -> String {
        var parts: [String] = []
        if let rate = direction.rate {
            parts.append(rate >= 1_000_000 ? "\(number(rate, 1_000_000)) Mbit/s" : "\(number(rate, 1_000)) kbit/s")
        }
        let delay = Int(direction.delay / .milliseconds(1))
        let jitter = direction.jitter / .milliseconds(1)
        if delay > 0 { parts.append("\(direction.delay / .milliseconds(1)) ms".replacing(".0 ", with: " ")) }
        if jitter > 0 { parts[parts.count - 1] += " ± \(jitter) ms".replacing(".0 ", with: " ") }
        if direction.loss > 0 { parts.append("\(direction.loss / 10_000) % lost") }
        if dns > .zero { parts.append("DNS replies \(Int(dns / .seconds(1))) s late") }
        return parts.isEmpty ? "–" : parts.joined(separator: ", ")
    }

    private static func number(_ value: Int, _ unit: Int) -> String {
        value % unit == 0 ? "\(value / unit)" : "\(Double(value) / Double(unit))"
    }

    /// `UPDATE_GOLDEN=1` writes it anew.
    @Test func `the table of docs is the presets'`() throws {
        let path = projectRoot + "docs/conditions.md"
        var lines = try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n")
        let start = try #require(lines.firstIndex(of: Self.table[0]))
        let end = lines[start...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            lines.replaceSubrange(start..<end, with: Self.table)
            try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        } else {
            #expect(Array(lines[start..<end]) == Self.table)
        }
    }
}
