// SPDX-License-Identifier: Apache-2.0
import Evidence
import Foundation
import Suites
import Testing
import Topology

@testable import Reports

/// Generated suites with random outcomes, cut off at random places: all formats agree, and a case that did not run is never green.
@Suite struct AgreementTests {
    private static func results(_ random: inout some RandomNumberGenerator) -> SuiteResults {
        let cases = (0..<Int.random(in: 0...12, using: &random)).map { index in
            SuiteCase(
                test: SuiteTest(name: "t\(index / 2)", line: index + 1, command: .words(["true"])),
                network: index % 2 == 0 ? .nat64 : .dualStack)
        }
        let header = ResultHeader(
            suite: "s", file: "f", digest: "d", shard: nil, timestamp: "2026-11-22T10:00:00.000Z", host: "h",
            cases: cases)
        let ends = cases.map { element in
            var result = CaseResult(element, CaseOutcome.allCases.randomElement(using: &random)!, message: "m #\n<&|")
            if result.outcome == .error { result.code = [2, 5, nil].randomElement(using: &random)! }
            if Bool.random(using: &random) {
                var test = element.test
                (test.failsOnLeak, test.failsIfFlaky) = (Bool.random(using: &random), Bool.random(using: &random))
                result.choose(as: test, allowsFixed: Bool.random(using: &random))
            }
            result.findings = (0..<Int.random(in: 0...2, using: &random)).map { index in
                CaseResult.Finding(
                    rule: "V6C-00\(index + 1)", title: "does <that>", program: "p", target: "t\(index)", text: "seen",
                    state: [.new, .known, .baseline].randomElement(using: &random)!,
                    severity: ["error", "warning"].randomElement(using: &random)!)
            }
            return result
        }
        return SuiteResults(header: header, cases: ends, seconds: 1)
    }

    private static let isLong = ProcessInfo.processInfo.environment["IPV6CHECK_LONG_TESTS"] == "1"

    /// `fetch@nat64` of a SARIF result, whose message begins with it.
    private static func id(_ result: [String: Any]) -> String {
        let text = (result["message"] as? [String: String])?["text"] ?? ""
        return String(text.prefix { $0 != ":" })
    }

    @Test func `exit code and every format agree`() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<(Self.isLong ? 20_000 : 100) {
            let results = Self.results(&random)
            let red = results.cases.count(where: \.isRed)
            #expect((results.exitCode == 0) == (red == 0 && results.cases.contains { $0.outcome != .skip }))

            let tap = TAPReport.render(results).split(separator: "\n")
            let failed = tap.count { $0.hasPrefix("not ok") && !$0.contains(" # TODO ") }
            #expect(failed == red)
            #expect(tap.count { $0.hasPrefix("ok ") || $0.hasPrefix("not ok ") } == results.cases.count)

            let xml = JUnitReport.render(results)
            #expect(xml.matches(of: #/<(failure|error) /#).count == red)
            #expect(xml.matches(of: #/<testcase /#).count == results.cases.count)
            let totals = try #require(xml.firstMatch(of: /<testsuites [^>]*failures="(\d+)" errors="(\d+)"/))
            #expect(Int(totals.1)! + Int(totals.2)! == red)

            let json =
                try JSONSerialization.jsonObject(
                    with: SuiteJSONReport(results, exitCode: results.exitCode).encoded()) as? [String: Any]
            #expect((json?["totals"] as? [String: Int])?.values.reduce(0, +) == results.cases.count)

            let cases = try #require(json?["cases"] as? [[String: Any]])
            #expect(Set(cases.compactMap { $0["id"] as? String }) == Set(results.cases.map(\.id)))

            let html = HTMLReport.render(results, pages: { _ in nil })
            #expect(html.matches(of: /<details open="">/).count == red)
            #expect(html.matches(of: /<summary><h2>/).count == results.cases.count)
            #expect(html.contains(results.exitCode == 0 ? "<header class=\"good\">" : "<header class=\"bad\">"))

            // Each red case has an error, and no other has one.
            let redCases = Set(results.red.map(\.id))
            let sarif =
                try JSONSerialization.jsonObject(
                    with: Data(SuiteReportTests.sarif(results).utf8)) as? [String: Any]
            let findings = try #require((sarif?["runs"] as? [[String: Any]])?.first?["results"] as? [[String: Any]])
            let errors = findings.filter { $0["level"] as? String == "error" }
            #expect(Set(errors.map(Self.id)) == redCases)
            #expect(errors.allSatisfy { $0["suppressions"] == nil })
            let issues =
                try JSONSerialization.jsonObject(
                    with: CodeQualityReport.encoded(results, file: "f", digest: { $0 })) as? [[String: Any]]
            let major = try #require(issues).filter { $0["severity"] as? String == "major" }
            #expect(Set(major.map { String(($0["description"] as! String).prefix { $0 != ":" }) }) == redCases)

            #expect(MarkdownSummary.render(results).matches(of: /<details>/).count == red)
            #expect(GitHubAnnotations.render(results, file: "f").matches(of: #/::error /#).count == min(10, red))
        }
    }

    @Test func `shards that are cut off anywhere are never greener than the whole`() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let count = Int.random(in: 1...4, using: &random)
            let whole = Self.results(&random)
            if whole.cases.isEmpty { continue }
            var log: [UInt8] = []
            var isCut = false
            for number in 1...count {
                let shard = try #require(Shard(number, of: count))
                var header = whole.header
                header.shard = shard.description
                let own = whole.cases.filter { result in
                    shard.contains(SuiteCase(test: SuiteTest(name: result.test, command: .words([])), network: .nat64))
                }
                let events =
                    [ResultEvent.begin(header)] + own.flatMap { [.start($0.id), .result($0)] }
                    + [.end(ResultFooter(exitCode: 0, seconds: 1))]
                let file = events.flatMap(ResultLines.encoded)
                if Bool.random(using: &random) {
                    log += file
                } else {
                    isCut = true
                    log += file.prefix(Int.random(in: 0..<file.count, using: &random)) + [UInt8(ascii: "\n")]
                }
            }
            guard let parts = try? ResultLines.parts(of: log, name: "log") else { continue }
            let merged = try MergedResults(parts)
            #expect(merged.results.cases.map(\.id) == whole.cases.map(\.id))
            for (result, original) in zip(merged.results.cases, whole.cases) where original.isRed {
                #expect(result.isRed)
            }
            if !isCut {
                #expect(merged.notes.isEmpty)
                #expect((merged.results.exitCode == 0) == (whole.exitCode == 0))
            }
        }
    }
}
