// SPDX-License-Identifier: Apache-2.0
/// Which tests a shard has: by the hash of their names, or by how long they took, the longest first to the emptiest shard.
package struct ShardPlan: Hashable, Sendable {
    /// How long tests took, and the digest by which it shows whether two shards were cut alike.
    package struct Timings: Hashable, Sendable {
        package var seconds: [String: Double]
        package var digest: String

        /// From the results of an earlier run.
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
    /// By the names of the tests; `nil` is by their hash.
    private var assigned: Set<String>?

    package init(_ shard: Shard) {
        self.shard = shard
    }

    /// - Parameter tests: the names of all tests that were selected.
    package init(_ shard: Shard, _ timings: Timings, tests: [String]) {
        self.shard = shard
        let known = tests.compactMap { timings.seconds[$0] }
        // Of a new test nothing is known: it counts as one of the others.
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
