// SPDX-License-Identifier: Apache-2.0
import Text

/// The results of several shards as those of one run. A case that no shard ran is not green.
package struct MergedResults: Hashable, Sendable {
    /// Why results cannot be merged: a wrong use of the program.
    package struct Refusal: Error, Hashable, CustomStringConvertible {
        package let description: String
    }

    package var results: SuiteResults
    /// Notes about the files, a sentence each.
    package var notes: [String]

    /// One results file, as far as it could be read.
    package struct Part: Hashable, Sendable {
        package var name: String
        package var header: ResultHeader
        package var cases: [CaseResult] = []
        package var footer: ResultFooter?

        package init(name: String, header: ResultHeader) {
            self.name = name
            self.header = header
        }
    }

    /// - Parameter shards: the required number of shards; `nil` for the number in the files.
    package init(_ parts: [Part], shards: Int? = nil) throws(Refusal) {
        guard let first = parts.first else { throw Refusal(description: "no results: give at least one file") }
        for part in parts.dropFirst() {
            if part.header.digest != first.header.digest {
                throw Refusal(
                    description:
                        "\(part.name) is of another suite file than \(first.name): run every shard from the same commit"
                )
            }
            if part.header.timings != first.header.timings {
                throw Refusal(
                    description:
                        "\(part.name) and \(first.name) were cut by different timings: give every shard the same --timings FILE"
                )
            }
            if part.header.cases != first.header.cases {
                throw Refusal(
                    description:
                        "\(part.name) and \(first.name) have not the same cases: give every shard the same --filter, --tag, --network and --rerun"
                )
            }
        }
        let told = Set(parts.map { $0.header.shard.flatMap { Shard($0) }?.count ?? 1 })
        guard told.count == 1, let count = told.first, shards == nil || shards == count else {
            throw Refusal(
                description:
                    "the results are of \(enumerated(told.sorted().map { "\($0)" })) shards"
                    + (shards.map { ", and --shards says \($0)" } ?? "")
                    + ": give every run the same --shard K/N")
        }
        var notes: [String] = []
        var latest: [Int: Part] = [:]
        for part in parts {
            let number = part.header.shard.flatMap { Shard($0) }?.number ?? 1
            if let other = latest[number] {
                let isLater = part.header.timestamp >= other.header.timestamp
                notes.append(
                    "Shard \(number)/\(count) is there twice: \((isLater ? part : other).name) is later and counts.")
                if !isLater { continue }
            }
            latest[number] = part
        }
        for number in 1...count {
            if let part = latest[number] {
                if part.footer == nil { notes.append("\(part.name) is cut off: shard \(number)/\(count) did not end.") }
            } else {
                notes.append("Shard \(number)/\(count) left no result.")
            }
        }
        var ends: [String: CaseResult] = [:]
        for part in latest.values { for result in part.cases { ends[result.id] = result } }
        let missing = (1...count).filter { latest[$0]?.footer == nil }.map { "\($0)/\(count)" }
        let cases = first.header.cases.map { element -> CaseResult in
            if let result = ends[element.id], result.outcome != .cancelled { return result }
            var result = CaseResult(
                id: element.id, test: element.test, network: element.network, line: element.line, outcome: .error,
                seconds: 0,
                message: missing.isEmpty
                    ? "not run: no shard has a result of it"
                    : "not run: \(missing.count == 1 ? "shard" : "shards") \(enumerated(missing)) left no result of it")
            result.code = 1
            return result
        }
        var header = first.header
        header.shard = nil
        header.timestamp = parts.map(\.header.timestamp).min() ?? header.timestamp
        results = SuiteResults(
            header: header, cases: cases, seconds: latest.values.compactMap { $0.footer?.seconds }.max() ?? 0)
        results.gone = Set(latest.values.flatMap { $0.footer?.gone ?? [] }).sorted()
        self.notes = notes
    }
}
