// SPDX-License-Identifier: Apache-2.0
import Evidence
import Testing
import Topology

@testable import Suites

@Suite struct ShardPlanTests {
    private func part(_ rows: [(String, Double)]) -> MergedResults.Part {
        let cases = rows.map { name, _ in
            SuiteCase(test: SuiteTest(name: name, command: .words(["true"])), network: .nat64)
        }
        var part = MergedResults.Part(
            name: "r",
            header: ResultHeader(
                suite: "s", file: "f", digest: "d", shard: nil, timestamp: "", host: "", cases: cases))
        part.cases = zip(cases, rows).map { CaseResult($0, .pass, seconds: $1.1) }
        return part
    }

    private func shards(_ count: Int, _ timings: ShardPlan.Timings, _ tests: [String]) -> [[String]] {
        (1...count).map { number in
            let plan = ShardPlan(Shard(number, of: count)!, timings, tests: tests)
            return tests.filter {
                plan.contains(SuiteCase(test: SuiteTest(name: $0, command: .words([])), network: .dualStack))
            }
        }
    }

    @Test func `the longest goes to the emptiest shard`() {
        let timings = ShardPlan.Timings([part([("a", 9), ("b", 5), ("c", 4), ("d", 1)])], digest: "1")
        #expect(shards(2, timings, ["a", "b", "c", "d"]) == [["a", "d"], ["b", "c"]])
    }

    @Test func `each test is in one shard, known or new`() {
        let timings = ShardPlan.Timings([part((0..<40).map { ("t\($0)", Double($0 % 7)) })], digest: "1")
        let tests = (20..<80).map { "t\($0)" }
        for count in [1, 3, 8, 100] {
            #expect(shards(count, timings, tests).flatMap(\.self).sorted() == tests.sorted())
        }
    }

    @Test func `all networks of a test count`() {
        let timings = ShardPlan.Timings([part([("a", 2)]), part([("a", 3), ("b", .infinity)])], digest: "1")
        #expect(timings.seconds == ["a": 5])
    }

    @Test func `what was red is worth running again, and what a run that was cut off did not come to`() {
        var part = part([("a", 1), ("b", 1), ("c", 1)])
        part.cases[0].outcome = .fail
        part.cases.removeLast()
        part.footer = ResultFooter(exitCode: 1, seconds: 1)
        #expect(part.worthRerunning == ["a@nat64"])
        part.footer = nil
        #expect(part.worthRerunning == ["a@nat64", "c@nat64"])
    }
}
