// SPDX-License-Identifier: Apache-2.0
import Text

/// Collects the tests of a report one by one, and limits their number, names and texts.
struct InnerCollector {
    private var tests: [InnerTest] = []
    /// The last number given to each name.
    private var counts: [String: Int] = [:]
    private var problem: String?
    private var isFromCache = false
    /// Octets of details that may still be added.
    private var detailBudget = 4 << 20

    static let testLimit = 50_000
    private let testLimit: Int
    /// Maximum octets of a name and of a message.
    private static let lineLimit = 400
    /// Maximum octets of a test's detail.
    static let detailLimit = 4096

    init(testLimit: Int = Self.testLimit) { self.testLimit = testLimit }

    /// Only the first problem is kept, as it is the cause of others.
    mutating func fail(_ problem: String) { self.problem = self.problem ?? problem }

    /// Fails a report with results that the runner took from its cache.
    /// - Parameters:
    ///   - part: the part of the report that shows this.
    ///   - fix: how the user makes the runner execute the tests.
    mutating func failAsCached(_ part: String, fix: String) {
        if problem == nil { isFromCache = true }
        fail(
            "has results of an earlier run (\(Self.line(part.replacing("\t", with: " ")))), which say nothing of this network: \(fix)"
        )
    }

    mutating func add(_ test: InnerTest) {
        guard tests.count < testLimit else { return fail("has more than \(testLimit) tests") }
        var test = test
        test.group = Self.line(test.group)
        test.name = Self.line(test.name)
        if test.name.isEmpty { test.name = "unnamed" }
        // A report may have a name more than once: the name lacks the parameters, or the test was repeated.
        if var number = counts[test.id] {
            let (id, name) = (test.id, test.name)
            repeat {
                number += 1
                test.name = "\(name) #\(number)"
            } while counts[test.id] != nil
            // The next duplicate continues from this number, even if other tests have such names of their own.
            counts[id] = number
        }
        counts[test.id] = 1
        test.message = Self.line(test.message)
        test.seconds = test.seconds.isFinite ? max(0, min(test.seconds, 1e9)) : 0
        test.detail = test.outcome == .failed ? start(of: test.detail, octets: min(Self.detailLimit, detailBudget)) : ""
        detailBudget -= test.detail.utf8.count
        tests.append(test)
    }

    var results: InnerResults {
        InnerResults(
            tests: tests, problem: problem ?? emptiness, isFromCache: isFromCache)
    }

    /// Why the report shows nothing about the program; `nil` if it does.
    private var emptiness: String? {
        if tests.isEmpty { return "has no tests" }
        return tests.allSatisfy { $0.outcome == .skipped } ? "has skipped tests alone" : nil
    }

    /// The first line that is not blank, without control characters.
    private static func line(_ text: String) -> String {
        let line = text.utf8.prefix(8 * lineLimit).split { $0 == 0x0a || $0 == 0x0d }
            .lazy.map { String($0) ?? String(decoding: $0, as: UTF8.self) }
            .first { !$0.allSatisfy(\.isWhitespace) }
        return start(of: printable(trimmed(line ?? "")), octets: lineLimit)
    }
}

/// The start of a text with at most so many octets, and only whole Unicode characters.
func start(of text: String, octets limit: Int) -> String {
    if text.utf8.count <= limit { return text }
    var end = text.utf8.index(text.utf8.startIndex, offsetBy: limit)
    while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
        end = text.utf8.index(before: end)
    }
    return String(text[..<end])
}

func trimmed(_ text: some StringProtocol) -> String {
    var rest = text[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
}
