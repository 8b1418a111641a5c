// SPDX-License-Identifier: Apache-2.0
extension MergedResults.Part {
    /// The names of the cases to run again: those that were red, and those that were not run because the run was interrupted.
    package var worthRerunning: Set<String> {
        var latest: [String: CaseResult] = [:]
        for result in cases { latest[result.id] = result }
        var ids = Set(latest.values.filter(\.isRed).map(\.id))
        guard footer == nil else { return ids }
        let shard = header.shard.flatMap { Shard($0) }
        for element in header.cases where latest[element.id] == nil {
            // A shard by timings cannot be computed from this file alone.
            guard header.timings != nil || shard.map({ $0.contains(test: element.test) }) ?? true else { continue }
            ids.insert(element.id)
        }
        return ids
    }
}
