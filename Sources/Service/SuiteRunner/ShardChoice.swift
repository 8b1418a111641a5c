// SPDX-License-Identifier: Apache-2.0
package import CheckRunner
package import Sandbox
package import Suites

/// The value of `--shard`: `2/4`, or `auto` for the variables of a CI service.
package enum ShardChoice {
    /// Variables of services for the shard's number, and for the number of shards.
    private static let services: [(number: String, count: String?, first: Int)] = [
        ("CI_NODE_INDEX", "CI_NODE_TOTAL", 1),  // GitLab
        ("CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL", 0),
        ("BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", 0),
        ("TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS", 0),  // Bazel
        ("JOB_COMPLETION_INDEX", nil, 0),  // a Kubernetes Indexed Job, which does not set the count
    ]

    package static func shard(_ text: String, _ environment: Environment) throws(CheckFailure) -> Shard {
        if text != "auto", !text.hasPrefix("auto/") {
            if let shard = Shard(text) { return shard }
            throw CheckFailure(
                "--shard \(text): give a part and their number, such as 2/4 (from 1/4 to 4/4), or auto", .usage)
        }
        let given = text == "auto" ? nil : String(text.dropFirst("auto/".count))
        for service in services {
            guard let number = environment[service.number]?.description else { continue }
            guard let count = given ?? service.count.flatMap({ environment[$0]?.description }) else {
                if service.count == nil {
                    throw CheckFailure(
                        "--shard auto: \(service.number) comes without a count; give auto/8, for example", .usage)
                }
                continue
            }
            guard let index = Int(number), let count = Int(count),
                let shard = Shard(index - service.first + 1, of: count)
            else {
                throw CheckFailure("--shard \(text): \(service.number)=\(number) is no part of \(count)", .usage)
            }
            return shard
        }
        throw CheckFailure(
            "--shard \(text): no variable of a CI service says which part it is (\(services.map(\.number).joined(separator: ", "))); give 2/4, for example",
            .usage)
    }
}
