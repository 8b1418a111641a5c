// SPDX-License-Identifier: Apache-2.0
import Text

/// JUnit XML, as written by pytest, Maven, Gradle, CTest, nextest, libtest, node, Jest, swift test and others: there is no standard.
///
///     <testsuites>
///       <testsuite name="tests">
///         <testcase classname="tests.test_shop" name="test_login" time="0.1">
///           <failure message="refused" type="OSError">…</failure>       or error, or skipped; or none of them: passed
enum JUnitReader {
    static func read(_ octets: [UInt8], into collector: inout InnerCollector) {
        var document = Document(collector: collector)
        do throws(XMLElements.Problem) {
            try XMLElements.parse(octets) { document.take($0) }
            if !document.hasRoot {
                document.collector.fail("is no JUnit XML: its root is neither testsuites nor testsuite")
            }
        } catch {
            document.collector.fail(Self.text(of: error))
        }
        collector = document.collector
    }

    private static func text(of problem: XMLElements.Problem) -> String {
        switch problem {
        case .documentType: "has a document type (<!DOCTYPE), which is not read"
        case .tooDeep: "has elements within elements too deep"
        case .cutOff: "ends in the middle"
        case .malformed(let what, let line): "is no XML in line \(line): \(what)"
        }
    }

    private struct Document {
        var collector: InnerCollector
        private(set) var hasRoot = false
        /// The names of the enclosing elements.
        private var path: [String] = []
        /// The names of the enclosing suites.
        private var suites: [String] = []
        /// The number of tests that each enclosing element announces, and that it has had; the outermost first.
        private var announced: [(tests: Int?, failures: Int, found: Int, failed: Int)] = []
        private var test: InnerTest?
        /// Whether the current text is that of a failure.
        private var isInFailure = false
        /// The type of its failure, used if that has no message of its own.
        private var failureType = ""
        /// Its output: Rust's libtest puts the reason there.
        private var output = ""

        init(collector: InnerCollector) { self.collector = collector }

        mutating func take(_ event: XMLElements.Event) {
            switch event {
            case .start(let name, let attributes):
                path.append(name)
                start(name, attributes)
            case .end:
                guard let name = path.popLast() else { return }
                end(name)
            case .text(let text):
                if isInFailure, let count = test?.detail.utf8.count, count < InnerCollector.detailLimit {
                    test?.detail += text
                } else if path.suffix(2) == ["testcase", "system-out"], output.utf8.count < InnerCollector.detailLimit {
                    output += text
                }
            }
        }

        private mutating func start(_ name: String, _ attributes: [String: String]) {
            switch name {
            case "testsuites" where path.count == 1:
                hasRoot = true
                announce(attributes)
            case "testsuite":
                if path.count == 1 { hasRoot = true }
                suites.append(attributes["name"] ?? "")
                announce(attributes)
            case "testcase" where hasRoot && test == nil:
                let name = attributes["name"] ?? ""
                test = InnerTest(
                    group: group(attributes["classname"], of: name), name: name, .passed,
                    seconds: attributes["time"].flatMap { Double($0) } ?? 0)
                // CTest has no element for skipped tests.
                if ["notrun", "disabled"].contains(attributes["status"]) { test?.outcome = .skipped }
            case "failure", "error":
                if path.dropLast().last == "testsuite" {
                    let message = attributes["message"] ?? ""
                    collector.fail(
                        "has an error of a whole test suite\(message.isEmpty ? "" : ": \(excerpt(message))")")
                }
                guard path.dropLast().last == "testcase", test?.outcome != .failed else { break }
                test?.outcome = .failed
                test?.message = attributes["message"] ?? ""
                failureType = attributes["type"] ?? ""
                isInFailure = true
            case "skipped":
                guard path.dropLast().last == "testcase", test?.outcome == .passed else { break }
                test?.outcome = .skipped
                test?.message = attributes["message"] ?? ""
            default: break
            }
        }

        /// The class name if it is meaningful, otherwise the enclosing suites. Node names every class "test", CTest after the test.
        private func group(_ name: String?, of test: String) -> String {
            if let name, !name.isEmpty, name != "test" { return name == test ? "" : name }
            return name == "test" ? suites.filter { !$0.isEmpty }.joined(separator: ".") : ""
        }

        private mutating func announce(_ attributes: [String: String]) {
            func count(_ name: String) -> Int? { attributes[name].flatMap { Int($0) } }
            // Some runners have no elements for tests that were not run.
            let tests = count("tests").map { $0 - (count("skipped") ?? 0) - (count("disabled") ?? 0) }
            announced.append((tests, (count("failures") ?? 0) + (count("errors") ?? 0), 0, 0))
        }

        /// A report that announces failures and has none, or has fewer tests than it announces, was cut off or has lost some. Runners count
        /// a test that fails twice in different ways: only what could hide a failure counts.
        private mutating func checkAnnouncement() {
            guard let (tests, failures, found, failed) = announced.popLast() else { return }
            if failures > 0, failed == 0 {
                collector.fail("announces \(counted(failures, "failure")), and has none")
            } else if let tests, tests > found {
                collector.fail("announces \(counted(tests, "test")), and has \(found)")
            }
        }

        private mutating func end(_ name: String) {
            switch name {
            case "testsuites" where path.isEmpty: checkAnnouncement()
            case "testsuite":
                _ = suites.popLast()
                checkAnnouncement()
            case "testcase":
                guard !path.contains("testcase"), var test else { break }
                if test.detail.allSatisfy(\.isWhitespace) { test.detail = output }
                if test.message.isEmpty { test.message = test.detail }
                if test.message.allSatisfy(\.isWhitespace) { test.message = failureType }
                collector.add(test)
                for index in announced.indices {
                    announced[index].found += 1
                    if test.outcome == .failed { announced[index].failed += 1 }
                }
                (self.test, failureType, output) = (nil, "", "")
            case "failure", "error": isInFailure = false
            default: break
            }
        }
    }
}
