// SPDX-License-Identifier: Apache-2.0
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
            case "testsuites" where path.count == 1: hasRoot = true
            case "testsuite":
                if path.count == 1 { hasRoot = true }
                suites.append(attributes["name"] ?? "")
            case "testcase" where hasRoot && test == nil:
                let name = attributes["name"] ?? ""
                test = InnerTest(
                    group: group(attributes["classname"], of: name), name: name, .passed,
                    seconds: attributes["time"].flatMap { Double($0) } ?? 0)
                // CTest has no element for skipped tests.
                if ["notrun", "disabled"].contains(attributes["status"]) { test?.outcome = .skipped }
            case "failure", "error":
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

        private mutating func end(_ name: String) {
            switch name {
            case "testsuite": _ = suites.popLast()
            case "testcase":
                guard !path.contains("testcase"), var test else { break }
                if test.detail.allSatisfy(\.isWhitespace) { test.detail = output }
                if test.message.isEmpty { test.message = test.detail }
                if test.message.allSatisfy(\.isWhitespace) { test.message = failureType }
                collector.add(test)
                (self.test, failureType, output) = (nil, "", "")
            case "failure", "error": isInFailure = false
            default: break
            }
        }
    }
}
