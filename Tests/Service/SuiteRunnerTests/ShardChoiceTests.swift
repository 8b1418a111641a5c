// SPDX-License-Identifier: Apache-2.0
import CheckRunner
import Sandbox
import Suites
import Testing

@testable import SuiteRunner

@Suite struct ShardChoiceTests {
    private func shard(_ text: String, _ variables: String...) throws(CheckFailure) -> String {
        try ShardChoice.shard(text, Environment(entries: variables.map { OSString($0) })).description
    }

    @Test func `a part is what it says`() throws {
        #expect(try shard("2/4") == "2/4")
    }

    @Test func `the services that count from one, and from nought`() throws {
        #expect(try shard("auto", "CI_NODE_INDEX=1", "CI_NODE_TOTAL=4") == "1/4")
        #expect(try shard("auto", "CIRCLE_NODE_INDEX=0", "CIRCLE_NODE_TOTAL=4") == "1/4")
        #expect(try shard("auto", "BUILDKITE_PARALLEL_JOB=3", "BUILDKITE_PARALLEL_JOB_COUNT=4") == "4/4")
        #expect(try shard("auto", "TEST_SHARD_INDEX=1", "TEST_TOTAL_SHARDS=2") == "2/2")
        #expect(try shard("auto/8", "JOB_COMPLETION_INDEX=7") == "8/8")
    }

    @Test(arguments: ["5/4", "0/4", "x", "auto", "auto/x", "auto/0"])
    func `no part`(_ text: String) {
        #expect(throws: CheckFailure.self) { try shard(text) }
        #expect(throws: CheckFailure.self) { try shard(text, "JOB_COMPLETION_INDEX=9") }
        #expect(throws: CheckFailure.self) { try shard(text, "CI_NODE_INDEX=5", "CI_NODE_TOTAL=4") }
    }
}
