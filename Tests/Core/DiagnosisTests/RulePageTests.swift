// SPDX-License-Identifier: Apache-2.0
import Evidence
import Foundation
import TestSupport
import SourceScan
import Testing

@testable import Diagnosis

/// The pages of docs/rules and the clients of fixtures/clients belong to rules that exist, and each rule has both.
@Suite struct RulePageTests {
    private static let pages = projectRoot + "docs/rules/"
    private static let clients = projectRoot + "fixtures/clients/"

    private static func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test(arguments: Catalogue.all) func `a rule has a page with its title and its severity`(_ rule: Rule) throws {
        let page = try Self.text(Self.pages + rule.id + ".md")
        let lines = page.split(separator: "\n")
        #expect(lines[0] == "# \(rule.id): \(rule.title)")
        let networks = Network.allCases.filter(rule.networks.contains).map { "`\($0.rawValue)`" }
        let list =
            networks.count == Network.allCases.count
            ? "networks: all" : "network\(networks.count == 1 ? "" : "s"): \(networks.joined(separator: ", "))"
        let header = "Severity: \(rule.severity.rawValue) · \(list)"
        let ifPassing =
            rule.severityIfPassing == rule.severity
            ? "" : " · a \(rule.severityIfPassing.rawValue) for programs that pass"
        #expect(lines[1] == header + ifPassing || lines[1].hasPrefix(header + " ·") && lines[1].hasSuffix(ifPassing))
        let place =
            rule == .failsWithIPv4 ? "a dual-stack" : rule.networks == [.ipv4Only] ? "an IPv4-only" : "an IPv6-only"
        let sections = lines.filter { $0.hasPrefix("## ") }
        #expect(
            sections == [
                "## What was seen",
                "## Why it fails on \(place) network",
                "## How to fix it",
                "## How to accept it", "## How to reproduce it", "## References",
            ])
    }

    @Test(arguments: Catalogue.all) func `a rule is in the index`(_ rule: Rule) throws {
        let index = try Self.text(Self.pages + "README.md")
        #expect(index.contains("| [\(rule.id)](\(rule.id).md) | \(rule.severity.rawValue) | \(rule.title) |"))
    }

    @Test(arguments: Catalogue.all) func `a rule has a client whose first line names it`(_ rule: Rule) throws {
        let firstLines = try FileManager.default.contentsOfDirectory(atPath: Self.clients)
            .filter { $0.hasSuffix(".c") || $0.hasSuffix(".py") }
            .compactMap { try Self.text(Self.clients + $0).split(separator: "\n").first }
        #expect(firstLines.contains { $0.hasPrefix("// \(rule.id): ") || $0.hasPrefix("# \(rule.id): ") })
    }

    @Test func `no page and no client names a rule that does not exist`() throws {
        let ids = Set(Catalogue.all.map(\.id) + SourceRule.allCases.map(\.rawValue))
        for folder in [Self.pages, Self.clients] {
            for file in try FileManager.default.contentsOfDirectory(atPath: folder) where file.contains(".") {
                let named = try Self.text(folder + file).matches(of: /V6C-[0-9]+/).map { String($0.output) }
                #expect(
                    Set(named + [file].filter { $0.hasPrefix("V6C") }.map { String($0.dropLast(3)) }).isSubset(of: ids))
            }
        }
    }
}
