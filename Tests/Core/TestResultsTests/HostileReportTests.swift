// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TestResults

/// Reports that no test runner should write: each is read or refused, and none ends the reader.
@Suite struct HostileReportTests {
    private func junit(_ text: String) -> InnerResults { ResultsFormat.junit.results(in: Array(text.utf8)) }

    @Test func `entities do not grow`() {
        let bomb = """
            <?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
            <testsuite><testcase name="&b;"/></testsuite>
            """
        #expect(junit(bomb) == InnerResults(problem: "has a document type (<!DOCTYPE), which is not read"))
        #expect(junit("<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><testsuite/>").problem?.contains("DOCTYPE") == true)
    }

    @Test func `an end in the middle leaves what came before`() {
        let whole =
            "<testsuite><testcase name=\"a\"/><testcase name=\"b\"><failure message=\"m\">t</failure></testcase></testsuite>"
        for length in 0..<whole.utf8.count {
            let results = ResultsFormat.junit.results(in: Array(whole.utf8.prefix(length)))
            #expect(results.problem == "ends in the middle", "\(length)")
            #expect(results.tests.count <= 2)
        }
        #expect(junit(String(whole.dropLast(12))).tests.map(\.name) == ["a", "b"])
        #expect(junit(whole).problem == nil)
    }

    @Test func `what is no JUnit is said`() {
        #expect(junit("").problem == "ends in the middle")
        #expect(junit("<html></html>").problem == "is no JUnit XML: its root is neither testsuites nor testsuite")
        #expect(junit("{}").problem == "is no XML in line 1: not well-formed (invalid token)")
        #expect(junit("<testsuites/>").problem == "has no tests")
        #expect(
            junit("<testsuite>\n<testcase name='\u{1}'/></testsuite>").problem?.hasPrefix("is no XML in line 2") == true
        )
        let deep = String(repeating: "<testsuite>", count: 100)
        #expect(junit(deep).problem == "has elements within elements too deep")
    }

    @Test func `a test within a test counts once`() {
        let results = junit(
            "<testsuite><testcase name=\"a\"><testcase name=\"b\"><failure/></testcase></testcase></testsuite>")
        #expect(results.tests.map(\.name) == ["a"])
    }

    @Test func `names are made one line, short and different`() {
        let long = String(repeating: "é", count: 100_000)
        let results = junit(
            "<testsuite><testcase name=\"a&#10;b&#x202e;\"/><testcase name=\"x\"/><testcase name=\"x\"/><testcase name=\"x #2\"/><testcase name=\"\"/><testcase name=\"\(long)\"/></testsuite>"
        )
        #expect(Set(results.tests.map(\.id)).count == 6)
        #expect(results.tests.map(\.name).prefix(5) == ["a", "x", "x #2", "x #2 #2", "unnamed"])
        #expect(results.tests[5].name.utf8.count == 400)
    }

    @Test func `times that are none`() {
        for time in ["nan", "inf", "-1", "1e999", "x", "1,5"] {
            let results = junit("<testsuite><testcase name=\"a\" time=\"\(time)\"/></testsuite>")
            #expect(results.tests.first?.seconds == 0, "\(time)")
        }
    }

    @Test func `there is a limit to tests, and to what is kept of them`() {
        var collector = InnerCollector(testLimit: 3)
        for number in 1...5 { collector.add(InnerTest(name: "\(number)", .failed)) }
        #expect(collector.results.tests.count == 3)
        #expect(collector.results.problem == "has more than 3 tests")
        let text = String(repeating: "x", count: 5000)
        let cases = (1...1100).map { "<testcase name=\"\($0)\"><failure>\(text)</failure></testcase>" }
        let large = junit("<testsuite>\(cases.joined())</testsuite>")
        #expect(large.tests.map(\.detail.utf8.count).reduce(0, +) == 4 << 20)
    }

    @Test func `every octet in place of another is read or refused`() {
        let samples: [(ResultsFormat, String)] = [
            (.junit, "<testsuite><testcase name=\"a\" time=\"1\"><failure>é</failure></testcase></testsuite>"),
            (.tap, "TAP version 14\n    ok 1 - a # SKIP\n    1..1\nnot ok 1 - é\n  ---\n  message: x\n  ...\n1..1\n"),
            (.goTest, "{\"Action\":\"fail\",\"Package\":\"p\",\"Test\":\"T/a\",\"Elapsed\":1}\n"),
        ]
        for (format, text) in samples {
            let octets = Array(text.utf8)
            for index in octets.indices {
                for octet: UInt8 in [0, 0x0a, 0x20, 0x23, 0x26, 0x3c, 0x5c, 0x80, 0xff] {
                    var changed = octets
                    changed[index] = octet
                    _ = format.results(in: changed)
                }
            }
        }
    }
}
