// SPDX-License-Identifier: Apache-2.0
import Text

/// TAP 13 and 14 (https://testanything.org/tap-version-14-specification.html), with the output of tests between its lines.
///
///     1..2
///     # Subtest: login
///         ok 1 - with a password
///         not ok 2 - with a key
///           ---
///           message: refused
///           ...
///         1..2
///     not ok 1 - login
///     ok 2 - logout # SKIP no network
///
/// A test point with subtests is represented by them, and counts as a test itself only if it fails although none of them does. Subtests
/// precede their test point, both with and without the comment.
struct TAPReader {
    /// A level of subtests.
    private struct Level {
        var tests: [InnerTest] = []
        /// Test points, including those with subtests.
        var points = 0
        /// The number in the plan; `nil` before the plan.
        var planned: Int?
        /// The index of the last test point's test; `nil` if its subtests represent it.
        var last: Int?
    }

    private var levels = [Level()]
    private var bailedOut: String?
    /// The indentation and text of an open YAML block.
    private var block: (indentation: Int, text: String)?
    /// A YAML block is about the last test of this level.
    private var blockLevel = 0
    private var count = 0

    private static let depthLimit = 16
    private static let nameLimit = 400

    static func read(_ octets: [UInt8], into collector: inout InnerCollector) {
        var reader = TAPReader()
        forEachLine(of: octets) { if reader.bailedOut == nil { reader.take($0) } }
        reader.endBlock()
        // Subtests without their test point, which was not reached.
        while reader.levels.count > 1 { reader.close(into: "", isFailed: false) }
        let top = reader.levels[0]
        for test in top.tests { collector.add(test) }
        if let reason = reader.bailedOut {
            collector.fail("was given up by the runner (Bail out!\(reason.isEmpty ? "" : " \(reason)"))")
        } else if let planned = top.planned {
            if planned != top.points { collector.fail("has \(top.points) of \(counted(planned, "planned test"))") }
        } else if top.points > 0 {
            collector.fail("ends without a plan (1..\(top.points))")
        } else if top.tests.isEmpty {
            collector.fail("has no tests; prove writes them with -v")
        }
    }

    private mutating func take(_ line: Substring) {
        let content = line.drop { $0 == " " }
        let indentation = line.utf8.count - content.utf8.count
        if let block {
            if indentation == block.indentation && content == "..." {
                endBlock()
            } else if block.text.utf8.count < InnerCollector.detailLimit {
                self.block?.text += line.dropFirst(min(indentation, block.indentation)) + "\n"
            }
            return
        }
        if content == "---", indentation % 4 == 2, indentation / 4 < levels.count {
            blockLevel = indentation / 4
            block = (indentation, "")
            return
        }
        guard indentation % 4 == 0 else { return }
        let level = indentation / 4
        if content.hasPrefix("Bail out!") {
            bailedOut = trimmed(content.dropFirst("Bail out!".count))
        } else if isOfProve(line) {
            return
        } else if let point = TAPPoint(content) {
            add(point, at: level)
        } else if let plan = Self.plan(content) {
            open(level)
            guard level < levels.count else { return }
            // One file follows the other where prove runs several.
            levels[level].planned =
                level == 0 ? levels[0].planned.map { $0 &+ plan } ?? plan : levels[level].planned ?? plan
        }
    }

    /// Whether a line is prove's own, about a file whose tests are complete: `prove --verbose` writes it below their output.
    private func isOfProve(_ line: Substring) -> Bool {
        line == "ok" && levels.count == 1 && levels[0].planned == levels[0].points
    }

    /// `1..3`, with or without a directive after it.
    private static func plan(_ content: Substring) -> Int? {
        guard content.hasPrefix("1..") else { return nil }
        let digits = content.dropFirst(3).prefix { $0.isASCII && $0.isNumber }
        let rest = content.dropFirst(3 + digits.count)
        return rest.isEmpty || rest.first == " " ? Int(digits) : nil
    }

    private mutating func open(_ level: Int) {
        guard level < Self.depthLimit else { return }
        while levels.count <= level { levels.append(Level()) }
    }

    private mutating func add(_ point: TAPPoint, at level: Int) {
        guard level < Self.depthLimit, count < InnerCollector.testLimit + 1 else { return }
        open(level)
        let hasSubtests = levels.count > level + 1
        while levels.count > level + 2 { close(into: "", isFailed: false) }
        levels[level].points += 1
        let name = point.name.isEmpty ? "test \(levels[level].points)" : start(of: point.name, octets: Self.nameLimit)
        if hasSubtests {
            let before = levels[level].tests.count
            close(into: name, isFailed: point.outcome == .failed)
            levels[level].last = nil
            if levels[level].tests.count > before { return }
        }
        count += 1
        levels[level].tests.append(InnerTest(name: name, point.outcome, message: point.reason))
        levels[level].last = levels[level].tests.count - 1
    }

    /// Moves the tests of the deepest level to the one above, as those of the test point with this name.
    private mutating func close(into name: String, isFailed: Bool) {
        let inner = levels.removeLast()
        var tests = inner.tests
        for index in tests.indices {
            tests[index].group = start(
                of: [name, tests[index].group].filter { !$0.isEmpty }.joined(separator: "."), octets: Self.nameLimit)
        }
        levels[levels.count - 1].tests += tests
        if isFailed, !tests.contains(where: { $0.outcome == .failed }) {
            let planned = inner.planned.flatMap { $0 == inner.points ? nil : $0 }
            levels[levels.count - 1].tests.append(
                InnerTest(
                    name: name, .failed,
                    message: planned.map { "\(inner.points) of \(counted($0, "planned test"))" }
                        ?? "fails, and none of its tests")
            )
        }
    }

    private mutating func endBlock() {
        guard let block else { return }
        self.block = nil
        guard let index = levels[blockLevel].last else { return }
        levels[blockLevel].tests[index].detail = block.text
        if levels[blockLevel].tests[index].message.isEmpty {
            levels[blockLevel].tests[index].message = Self.message(in: block.text)
        }
    }

    /// The message in such a block, as a plain or block scalar.
    private static func message(in text: String) -> String {
        let lines = text.split(separator: "\n")
        for key in ["message:", "error:"] {
            guard let index = lines.firstIndex(where: { trimmed($0.prefix(200)).hasPrefix(key) }) else { continue }
            let value = trimmed(trimmed(lines[index]).dropFirst(key.count))
            if ["|", "|-", ">", ">-"].contains(value) {
                return index + 1 < lines.count ? trimmed(lines[index + 1]) : ""
            }
            return unquoted(value)
        }
        return ""
    }

    private static func unquoted(_ text: String) -> String {
        guard text.utf8.count >= 2, let first = text.first, first == text.last, first == "'" || first == "\"" else {
            return text
        }
        return String(text.dropFirst().dropLast())
    }
}
