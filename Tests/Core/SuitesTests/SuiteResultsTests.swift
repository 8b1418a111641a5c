// SPDX-License-Identifier: Apache-2.0
import Evidence
import Testing
import Topology

@testable import Suites

@Suite struct SuiteResultsTests {
    static func results(_ outcomes: [CaseOutcome], code: Int32? = nil, shard: Shard? = nil) -> SuiteResults {
        let cases = outcomes.indices.map {
            SuiteCase(test: SuiteTest(name: "test-\($0)", command: .words(["true"])), network: .nat64)
        }
        let header = ResultHeader(
            suite: "shop", file: "ipv6check.yaml", digest: "sha256:0", shard: shard,
            timestamp: "2026-11-22T10:00:00.000Z",
            host: "runner", cases: cases)
        return SuiteResults(
            header: header,
            cases: zip(cases, outcomes).map { element, outcome in
                var result = CaseResult(element, outcome)
                if outcome == .error { result.code = code }
                return result
            }, seconds: 1)
    }

    @Test(arguments: CaseOutcome.allCases) func `a case that is red closes the gate, and no other does`(
        _ outcome: CaseOutcome
    ) {
        let code = Self.results([.pass, outcome], code: 5).exitCode
        #expect((code != 0) == outcome.isRed)
    }

    @Test(
        arguments: [
            ([CaseOutcome.fail, .broken], nil, 1), ([.broken], nil, 3), ([.error, .fail, .broken], 5, 5),
            ([.error, .fail], 2, 2), ([.error], nil, 1), ([.skip, .skip], nil, 4), ([.skip, .pass], nil, 0),
            ([], nil, 4),
            ([.known, .flaky, .leak], nil, 0), ([.cancelled], nil, 1),
        ] as [([CaseOutcome], Int32?, Int32)]) func `the exit code`(
            _ outcomes: [CaseOutcome], _ code: Int32?, _ expected: Int32
        )
    {
        #expect(Self.results(outcomes, code: code).exitCode == expected)
    }

    @Test func `a shard without a test is well`() {
        var results = Self.results([.pass, .pass], shard: Shard(1, of: 4))
        results.cases = []
        #expect(results.exitCode == 0)
        #expect(results.elsewhere == 2)
    }
}

@Suite struct MergedResultsTests {
    private func part(_ number: Int, of count: Int, cases: [CaseOutcome?], ended: Bool = true) throws
        -> MergedResults.Part
    {
        let all = SuiteResultsTests.results(cases.map { _ in .pass }, shard: Shard(number, of: count))
        var part = MergedResults.Part(name: "\(number).ndjson", header: all.header)
        part.cases = zip(all.cases, cases).compactMap { result, outcome in
            outcome.map {
                var result = result
                result.outcome = $0
                return result
            }
        }
        if ended { part.footer = ResultFooter(exitCode: 0, seconds: Double(number)) }
        return part
    }

    @Test func `shards are one suite again`() throws {
        let merged = try MergedResults([
            part(1, of: 2, cases: [.pass, nil, .known]), part(2, of: 2, cases: [nil, .fail, nil]),
        ])
        #expect(merged.results.cases.map(\.outcome) == [.pass, .fail, .known])
        #expect(merged.results.seconds == 2, "the longest, not the sum")
        #expect(merged.results.exitCode == 1)
        #expect(merged.notes.isEmpty)
    }

    @Test func `what nobody ran is an error`() throws {
        let merged = try MergedResults([part(1, of: 2, cases: [.pass, nil])])
        #expect(merged.results.cases.map(\.outcome) == [.pass, .error])
        #expect(merged.results.cases[1].message == "not run: shard 2/2 left no result of it")
        #expect(merged.results.exitCode == 1)
        #expect(merged.notes == ["Shard 2/2 left no result."])
    }

    @Test func `a shard that was cut off is said, and its cases count`() throws {
        let merged = try MergedResults([
            part(1, of: 2, cases: [.pass, nil, nil], ended: false), part(2, of: 2, cases: [nil, .pass, nil]),
        ])
        #expect(merged.results.cases.map(\.outcome) == [.pass, .pass, .error])
        #expect(merged.notes == ["1.ndjson is cut off: shard 1/2 did not end."])
    }

    @Test func `a case that was cancelled was not run`() throws {
        let merged = try MergedResults([part(1, of: 1, cases: [.cancelled])])
        #expect(merged.results.cases.map(\.outcome) == [.error])
    }

    @Test func `of a shard that is there twice the later counts`() throws {
        var later = try part(1, of: 1, cases: [.pass])
        later.header.timestamp = "2026-11-22T11:00:00.000Z"
        later.name = "later"
        let merged = try MergedResults([later, part(1, of: 1, cases: [.fail])])
        #expect(merged.results.cases.map(\.outcome) == [.pass])
        #expect(merged.notes == ["Shard 1/1 is there twice: later is later and counts."])
    }

    @Test func `other suite files, cases and numbers of shards are refused`() throws {
        let first = try part(1, of: 2, cases: [.pass, nil])
        var other = try part(2, of: 2, cases: [nil, .pass])
        other.header.digest = "sha256:1"
        #expect(throws: MergedResults.Refusal.self) { try MergedResults([first, other]) }
        var cut = try part(2, of: 2, cases: [nil, .pass])
        cut.header.timings = "sha256:2"
        #expect(throws: MergedResults.Refusal.self) { try MergedResults([first, cut]) }
        let more = try part(2, of: 2, cases: [nil, .pass, .pass])
        #expect(throws: MergedResults.Refusal.self) { try MergedResults([first, more]) }
        let third = try part(2, of: 3, cases: [nil, .pass])
        #expect(throws: MergedResults.Refusal.self) { try MergedResults([first, third]) }
        #expect(throws: MergedResults.Refusal.self) { try MergedResults([first], shards: 4) }
        #expect(throws: MergedResults.Refusal.self) { try MergedResults([]) }
    }
}
