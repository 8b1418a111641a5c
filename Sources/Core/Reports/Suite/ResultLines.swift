// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
package import Suites

/// The results file: one line of JSON per event (NDJSON), so that an interrupted run keeps its results so far.
package enum ResultLines {
    package static func encoded(_ event: ResultEvent) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let line = Line(event)
        do {
            return try Array(encoder.encode(line)) + [UInt8(ascii: "\n")]
        } catch {
            preconditionFailure("a result holds nothing that JSON cannot: \(error)")
        }
    }

    /// The fault of a results file.
    package struct Malformed: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    /// Reads a results file, or a log that contains the lines of one. A truncated last line is ignored: its run was interrupted.
    package static func parts(of octets: [UInt8], name: String) throws(Malformed) -> [MergedResults.Part] {
        var parts: [MergedResults.Part] = []
        for line in octets.split(separator: UInt8(ascii: "\n")) {
            guard let start = line.firstRange(of: Array("{\"ipv6check\":{".utf8))?.lowerBound,
                let parsed = try? JSONDecoder().decode(Line.self, from: Data(line[start...]))
            else { continue }
            let event = parsed.ipv6check
            if let header = event.begin {
                guard header.schema == ResultHeader.schemaVersion else {
                    throw Malformed(
                        description:
                            "\(name): these results have schema \(header.schema), and this program reads \(ResultHeader.schemaVersion): use the same version for all"
                    )
                }
                parts.append(MergedResults.Part(name: name, header: header))
            } else if let result = event.result, !parts.isEmpty {
                parts[parts.count - 1].cases.append(result)
            } else if let footer = event.end, !parts.isEmpty {
                parts[parts.count - 1].footer = footer
            }
        }
        if parts.isEmpty {
            throw Malformed(description: "\(name): no results in it; ipv6check suite --results FILE writes them")
        }
        return parts
    }

    /// `{"ipv6check":{"result":{…}}}`: the fixed start finds the line after a log's prefix.
    private struct Line: Codable {
        var ipv6check: Event

        init(_ event: ResultEvent) {
            ipv6check = Event()
            switch event {
            case .begin(let header): ipv6check.begin = header
            case .start(let id): ipv6check.start = id
            case .result(let result): ipv6check.result = result
            case .end(let footer): ipv6check.end = footer
            }
        }
    }

    private struct Event: Codable {
        var begin: ResultHeader?
        var start: String?
        var result: CaseResult?
        var end: ResultFooter?
    }
}
