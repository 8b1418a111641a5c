// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The regular expressions by which GitHub's runners find the source lines in a report.
    @Suite struct ProblemMatcherTests {
        private struct Matchers: Decodable {
            struct Matcher: Decodable {
                struct Pattern: Decodable {
                    var regexp: String
                    var code: Int?
                    var file: Int?
                    var line: Int?
                }

                var severity: String
                var pattern: [Pattern]
            }

            var problemMatcher: [Matcher]
        }

        /// The problems that a matcher finds in consecutive lines, such as "V6C-001 /tmp/a.py:3".
        private func problems(_ report: String, _ matcher: Matchers.Matcher) throws -> [String] {
            let lines = report.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            func groups(_ line: String, _ pattern: Matchers.Matcher.Pattern) throws -> [String]? {
                let expression = try NSRegularExpression(pattern: pattern.regexp)
                let all = NSRange(line.startIndex..., in: line)
                guard let match = expression.firstMatch(in: line, range: all) else { return nil }
                return (0..<match.numberOfRanges).map {
                    Range(match.range(at: $0), in: line).map { String(line[$0]) } ?? ""
                }
            }
            return try zip(lines, lines.dropFirst()).compactMap { first, second in
                let (head, place) = (matcher.pattern[0], matcher.pattern[1])
                guard let code = try groups(first, head), let found = try groups(second, place) else { return nil }
                return "\(code[head.code!]) \(found[place.file!]):\(found[place.line!])"
            }
        }

        @Test func `findings and warnings are found with their lines`() throws {
            let file = URL(filePath: projectRoot + "packaging/problem-matcher.json")
            let matchers = try JSONDecoder().decode(Matchers.self, from: Data(contentsOf: file)).problemMatcher
            try #require(matchers.map(\.severity) == ["error", "warning"])
            let script = FileManager.default.temporaryDirectory.appending(path: "matched-\(UUID()).py")
            defer { try? FileManager.default.removeItem(at: script) }
            for (works, found) in [(false, ["V6C-001 \(script.path):4"]), (true, [])] {
                try """
                import socket
                try:
                    s = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
                    s.connect(("198.51.100.10", 80))
                except OSError:
                    if not \(works ? "True" : "False"): raise
                    socket.create_connection(("shop.test", 80)).close()
                """.write(to: script, atomically: true, encoding: .utf8)
                let output = try ipv6check("--trace", works ? "always" : "on-failure", "python3", script.path)
                #expect(output.status == (works ? 0 : 1), Comment(rawValue: output.standardError))
                #expect(
                    try problems(output.standardError, matchers[0]) == found, Comment(rawValue: output.standardError))
                // A client that works gets a warning.
                #expect(
                    try problems(output.standardError, matchers[1]).isEmpty != works,
                    Comment(rawValue: output.standardError))
            }
        }
    }
}
