import Evidence
import Foundation
import Suites
import Testing

@testable import Reports

/// Generated suites with random outcomes, cut off at random places: every format says the same, and nothing is green that nobody ran.
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
            return result
        }
        return SuiteResults(header: header, cases: ends, seconds: 1)
    }

    @Test func `exit code and every format agree`() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            let results = Self.results(&random)
            let red = results.cases.count { $0.outcome.isRed }
            #expect((results.exitCode == 0) == (red == 0 && results.cases.contains { $0.outcome != .skip }))

            let tap = TAPReport.render(results).split(separator: "\n")
            let failed = tap.count { $0.hasPrefix("not ok") && !$0.contains(" # TODO ") }
            let unexpected = tap.count { $0.hasPrefix("ok") && $0.contains(" # TODO ") }
            #expect(failed + unexpected == red)
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
            for (result, original) in zip(merged.results.cases, whole.cases) where original.outcome.isRed {
                #expect(result.outcome.isRed)
            }
            if !isCut {
                #expect(merged.notes.isEmpty)
                #expect((merged.results.exitCode == 0) == (whole.exitCode == 0))
            }
        }
    }
}
