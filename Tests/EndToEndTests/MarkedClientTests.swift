// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The sample clients and the required finding of each: the rule, the source line and the origin of the address.
    ///
    /// The client's source has a marker with these at the line in question: `MEETS V6C-001, from agent.conf:3`. The marker is on a
    /// line of its own if no line can be known.
    @Suite struct MarkedClientTests {
        /// The folders of the sample clients' suites.
        static let folders: [String] = {
            let clients = Binaries.root.appending(path: "fixtures/clients")
            let names = (try? FileManager.default.contentsOfDirectory(atPath: clients.path)) ?? []
            return [clients.path]
                + names.sorted().filter { !(missing + unmarked).contains($0) }.map { clients.appending(path: $0).path }
                .filter {
                    FileManager.default.fileExists(atPath: "\($0)/ipv6check.yaml")
                }
        }()

        /// In HTTP/3 clients the calls are in the lines of a library; `HTTP3Tests` tests these clients.
        private static let unmarked = ["http3"]

        /// The compilers that a machine may lack, by the folder of clients that needs them.
        private static let compilers = ["go": "go", "java": "javac", "rust": "rustc", "swift": "swiftc"]
        private static let missing = compilers.keys.filter { !isInstalled(compilers[$0] ?? "") }.sorted()

        @Test(
            .enabled(if: missing.isEmpty, "needs the compilers of fixtures/clients/\(missing.joined(separator: ", "))"))
        func `the compilers of all clients are there`() {}

        private struct Report: Decodable {
            struct Place: Decodable {
                var file: String
                var line: Int?
                var path: String?
            }
            struct Origin: Decodable { var text: String }
            struct Finding: Decodable {
                var rule: String
                var text: String
                var location: Place?
                var origin: Origin?
            }
            struct Case: Decodable {
                var id: String
                var test: String
                var outcome: String
                var findings: [Finding]
            }
            var cases: [Case]
        }

        /// The marker of a line: the rules that it meets, and an address's origin.
        private struct Marker {
            var rules: [String]
            var origin: String?
            /// Whether the line also has code.
            var isOfCode: Bool

            init?(_ line: Substring) {
                guard let match = line.firstMatch(of: #/MEETS (V6C-[0-9]+(?:, V6C-[0-9]+)*)(?:, from ([^*]*[^* ]))?/#)
                else {
                    return nil
                }
                rules = match.1.split(separator: ", ").map(String.init)
                origin = match.2.map(String.init)
                isOfCode = line[..<match.range.lowerBound].prefixMatch(of: #/\s*(?:#|%|--|/[/*])/#) == nil
            }
        }

        private func lines(of path: String) throws -> [Substring] {
            try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
        }

        /// The files of the folder that a suite's commands name, by test.
        private func sources(_ folder: String) throws -> [String: [String]] {
            var found: [String: [String]] = [:]
            var test = ""
            for line in try lines(of: "\(folder)/ipv6check.yaml") {
                if let name = line.firstMatch(of: #/^  - name: (\S+)/#) { test = String(name.1) }
                guard line.contains("command:") else { continue }
                found[test] = line.matches(of: #/[A-Za-z0-9_.\/-]+/#).map { "\(folder)/\($0.output)" }.filter {
                    (try? URL(filePath: $0).resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true
                }
            }
            return found
        }

        @Test(arguments: folders)
        func `each client meets its rule, at the line and with the origin that its source names`(_ folder: String)
            throws
        {
            let json = Binaries.scratch.appending(path: "\(UUID().uuidString).json")
            let output = try run(
                [
                    "env", "-C", Binaries.root.path, Binaries.ipv6check, "suite", "\(folder)/ipv6check.yaml", "--json",
                    json.path,
                ],
                seconds: 600)
            #expect(output.status == 0, output.told)
            #expect(!output.standardError.contains("FLAKY"), output.told)
            let report = try JSONDecoder().decode(Report.self, from: Data(contentsOf: json))
            let sources = try sources(folder)
            for element in report.cases where element.outcome == "known" {
                for finding in element.findings { try hold(finding, of: element, sources[element.test] ?? []) }
            }
        }

        private func hold(_ finding: Report.Finding, of element: Report.Case, _ sources: [String]) throws {
            let told: Comment = "\(element.id): \(finding.rule) \(finding.text) \(finding.origin?.text ?? "")"
            guard let place = finding.location, let path = place.path, let line = place.line else {
                let markers = try sources.flatMap { try lines(of: $0).compactMap(Marker.init) }
                let missed = markers.contains { $0.isOfCode && $0.rules.contains(finding.rule) }
                #expect(!missed, "no line is told, and its source has one. \(told)")
                for origin in markers.filter({ $0.rules.contains(finding.rule) }).compactMap(\.origin) {
                    #expect(finding.origin?.text.contains(origin) == true, told)
                }
                return
            }
            let source = try lines(of: Binaries.root.appending(path: path).path)
            let marker = source.indices.contains(line - 1) ? Marker(source[line - 1]) : nil
            #expect(
                marker?.rules.contains(finding.rule) == true, "\(place.file):\(line) is no such line. \(told)")
            if let origin = marker?.origin { #expect(finding.origin?.text.contains(origin) == true, told) }
        }

        @Test func `there are many, in many languages, most of them with a line`() throws {
            var clients: Set<String> = []
            var marked: Set<String> = []
            for folder in Self.folders {
                for (test, files) in try sources(folder) where test.hasSuffix("-fails") {
                    clients.insert("\(folder) \(test)")
                    let isMarked = try files.contains {
                        try lines(of: $0).contains {
                            Marker($0)?.isOfCode == true || $0.contains("include \"any_address.h\"")
                        }
                    }
                    if isMarked { marked.insert("\(folder) \(test)") }
                }
            }
            #expect(clients.count >= 120, "\(clients.count) clients, \(marked.count) with a line")
            #expect(marked.count >= 95, "\(clients.count) clients, \(marked.count) with a line")
        }
    }
}
