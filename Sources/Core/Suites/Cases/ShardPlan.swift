// SPDX-License-Identifier: Apache-2.0
/// The tests of a shard: by the hash of their names, or by their durations, longest first into the emptiest shard.
package struct ShardPlan: Hashable, Sendable {
    /// The durations of tests, and a digest that shows whether two shards used the same ones.
    package struct Timings: Hashable, Sendable {
        package var seconds: [String: Double]
        package var digest: String

        /// Reads the durations from the results of an earlier run.
        package init(_ parts: [MergedResults.Part], digest: String) {
            var seconds: [String: Double] = [:]
            for result in parts.flatMap(\.cases) where result.seconds.isFinite && result.seconds > 0 {
                seconds[result.test, default: 0] += result.seconds
            }
            self.seconds = seconds
            self.digest = digest
        }
    }

    package let shard: Shard
    /// The names of the shard's tests; `nil` if their hashes decide.
    private var assigned: Set<String>?

    package init(_ shard: Shard) {
        self.shard = shard
    }

    /// - Parameter tests: the names of all selected tests.
    package init(_ shard: Shard, _ timings: Timings, tests: [String]) {
        self.shard = shard
        let known = tests.compactMap { timings.seconds[$0] }
        // A new test has no known duration: it counts as an average one.
        let usual = known.isEmpty ? 1 : known.reduce(0, +) / Double(known.count)
        let rows = Set(tests).map { (name: $0, seconds: timings.seconds[$0] ?? usual) }
            .sorted { ($1.seconds, $0.name) < ($0.seconds, $1.name) }
        var loads = [Double](repeating: 0, count: shard.count)
        var assigned: Set<String> = []
        for row in rows {
            let emptiest = loads.indices.min { (loads[$0], $0) < (loads[$1], $1) } ?? 0
            loads[emptiest] += row.seconds
            if emptiest == shard.number - 1 { assigned.insert(row.name) }
        }
        self.assigned = assigned
    }

    package func contains(_ element: SuiteCase) -> Bool {
        assigned?.contains(element.test.name) ?? shard.contains(element)
    }
}
