// SPDX-License-Identifier: Apache-2.0
import Evidence
import Foundation
import Suites
import TestSupport
import Testing
import Topology

@testable import Reports

@Suite struct SuiteReportTests {
    static let results: SuiteResults = {
        let outcomes = CaseOutcome.allCases
        let cases = outcomes.enumerated().map { index, outcome in
            SuiteCase(
                test: SuiteTest(name: outcome.rawValue, line: index + 3, command: .words(["./shop"])), network: .nat64)
        }
        let header = ResultHeader(
            suite: "shop", file: "ipv6check.yaml", digest: "sha256:0", shard: Shard("1/2"),
            timestamp: "2026-11-22T02:04:16.000Z", host: "runner-7", cases: cases)
        let ends = cases.map { element -> CaseResult in
            let outcome = CaseOutcome(rawValue: element.test.name)!
            var result = CaseResult(
                element, outcome, seconds: 0.21, message: outcome == .pass ? "" : "because # \\ <&\"]]>")
            if outcome == .known {
                result.findings = [
                    CaseResult.Finding(
                        rule: "V6C-002", title: "asks the DNS for IPv4 addresses only", program: "shop",
                        target: "shop.test", text: "It asked.", state: .known, reason: "the vendor's")
                ]
            }
            if [.fail, .newDependency].contains(outcome) {
                result.rule = "V6C-001"
                result.tries = 2
                result.findings = [
                    CaseResult.Finding(
                        rule: "V6C-001", title: "connects to an IPv4 address", program: "shop",
                        target: "198.51.100.10 tcp/443", text: "It went there.", state: .new)
                ]
                // One case has its source in the repository, the other does not.
                let isOwn = outcome == .fail
                result.findings[0].location = CodeLocation(
                    file: "src/a,b.c", line: 12, function: "connect_server", path: isOwn ? "app/src/a,b.c" : nil)
                result.findings[0].origin = OriginLocation(
                    text: "agent.conf:3",
                    place: CodeLocation(file: "agent.conf", line: 3, path: isOwn ? "app/agent.conf" : nil))
                result.report = "ipv6check: FAIL  ./shop \u{1b}[31m\u{0}\u{fffe}\n  why …\n"
                result.output = "asked\r\nfor \u{7}\n"
                result.errors = "<no> & \u{1f600}\n"
                result.findings[0].location?.source = isOwn ? "connect(\"<b>\", 443);" : nil
                result.findings[0].advice = "Use a host name."
                result.reasons = [CaseResult.Fact(label: "failed", text: "exit 7, expected 0")]
                result.details = [
                    CaseResult.Fact(label: "network", text: "IPv6 only"),
                    CaseResult.Fact(label: "note", text: "a note"), CaseResult.Fact(label: "", text: "its second line"),
                ]
                result.timeline = [
                    CaseResult.Step(at: 0.012, kind: "dns", text: "<b>.test AAAA → NXDOMAIN", failed: true),
                    CaseResult.Step(
                        at: 0.014, kind: "call", text: "connect(198.51.100.10 port 443) → ENETUNREACH", failed: true,
                        rules: ["V6C-001"]),
                    CaseResult.Step(at: nil, kind: "flow", text: "no name  tcp 443  198.51.100.10", failed: true),
                    CaseResult.Step(at: 0, until: 0.1, kind: "process", text: "2  ./shop"),
                ]
                result.control = CaseResult.Control(output: "asked\nthere\n", errors: "", timeline: [])
                result.runs = [
                    CaseResult.Run(role: "first", network: "nat64", end: "exit 7", seconds: 0.1, isAsExpected: false),
                    CaseResult.Run(
                        role: "control", network: "dual-stack", end: "exit 0", seconds: 0.1, isAsExpected: true),
                ]
            }
            return result
        }
        var results = SuiteResults(header: header, cases: ends, seconds: 82.1)
        results.gone = ["V6C-001 old shop 203.0.113.5 tcp/443"]
        return results
    }()

    private static func page(_ rule: String) -> String? {
        rule != "V6C-001"
            ? nil
            : """
            # V6C-001: connects to an IPv4 address, not to a name

            Severity: error · networks: `nat64`

            ## How to fix it

            Resolve **names**, as in [V6C-005](V6C-005.md#how):

            ```c
            #include <netdb.h>

            int a = b < c;
            ```

            | call | knows |
            | --- | --- |
            | `inet_addr` | IPv4 <only> |

                ipv6check ./shop

            * RFC 6147 §1:
              [the text](https://www.rfc-editor.org/rfc/rfc6147)
            * RFC 8305
            """
    }

    @Test func `JUnit`() throws { try expectGolden(JUnitReport.render(Self.results), "suite.xml") }
    @Test func `TAP 14`() throws { try expectGolden(TAPReport.render(Self.results), "suite.tap") }
    @Test func `a job summary`() throws { try expectGolden(MarkdownSummary.render(Self.results), "suite.md") }
    @Test func `annotations`() throws {
        try expectGolden(GitHubAnnotations.render(Self.results, file: "a,b:c/ipv6check.yaml"), "suite.annotations")
    }

    @Test func `a finding whose source the repository has not is shown at the test, and names the source all the same`()
        throws
    {
        let result = try #require(Self.results.cases.first { $0.outcome == .newDependency })
        let finding = GateFinding(result.findings[0], of: result)
        #expect(finding.repositoryLine(suite: "s.yaml") == ("s.yaml", result.line))
        let sarif = try Self.sarif(SuiteResults(header: Self.results.header, cases: [result], seconds: 1))
        #expect(sarif.contains(#""fullyQualifiedName" : "src/a,b.c:12 connect_server""#))
        #expect(!sarif.contains("app/"))
    }

    @Test func `where an address comes from is not said twice`() throws {
        var result = try #require(Self.results.cases.first { $0.outcome == .fail })
        result.findings[0].origin?.text = "probably agent.conf:3"
        #expect(GateFinding.from(result.findings[0]) == " The address comes probably from agent.conf:3.")
        result.findings[0].text = "The address is probably from agent.conf:3."
        #expect(GateFinding.from(result.findings[0]).isEmpty)
    }

    @Test func `no line of a source file is below 1`() throws {
        var result = try #require(Self.results.cases.first { $0.outcome == .fail })
        for line in [nil, 0, -3, Int.min] as [Int?] {
            result.findings[0].location?.line = line
            let place = GateFinding(result.findings[0], of: result).repositoryLine(suite: "s.yaml")
            #expect(place == ("app/src/a,b.c", 1))
        }
    }

    @Test func `places are resolved by who knows the files`() throws {
        var result = try #require(Self.results.cases.first { $0.outcome == .newDependency })
        result.resolvePlaces { $0 == "agent.conf" ? "ci/agent.conf" : nil }
        #expect(result.findings[0].location?.path == nil)
        #expect(result.findings[0].origin?.place?.path == "ci/agent.conf")
    }

    @Test func `lines of the source are put into all places that have a line`() throws {
        var result = try #require(Self.results.cases.first { $0.outcome == .newDependency })
        result.quoteSource { "\($0):\($1)" }
        #expect(result.findings[0].location?.source == "src/a,b.c:12")
        #expect(result.findings[0].origin?.place?.source == "agent.conf:3")
    }

    @Test func `a results file without places is read`() throws {
        var result = try #require(Self.results.cases.first { $0.outcome == .fail })
        (result.findings[0].location, result.findings[0].origin) = (nil, nil)
        let events = [ResultEvent.begin(Self.results.header), .result(result)].flatMap(ResultLines.encoded)
        #expect(!String(decoding: events, as: UTF8.self).contains("location"))
        #expect(try ResultLines.parts(of: events, name: "r")[0].cases == [result])
    }

    @Test func `of many annotations the tenth says how many more`() {
        var results = Self.results
        results.cases = (0..<25).map { index in
            var result = results.cases[1]
            result.findings[0].location?.line = index + 1
            return result
        }
        let lines = GitHubAnnotations.render(results, file: "f").split(separator: "\n")
        #expect(lines.count == 10 && lines[9].hasSuffix(" (and 15 more: see the log)"))
        #expect(!lines[8].contains("more:"))
    }

    @Test func `a line has one annotation, of all cases that fail by it`() throws {
        var results = Self.results
        var other = try #require(results.cases.first { $0.outcome == .fail })
        results.cases = [other]
        let one = GitHubAnnotations.render(results, file: "f")
        (other.id, other.network, other.rule) = ("fail@strict", "strict", "V6C-002")
        other.findings[0].rule = "V6C-002"
        other.findings[0].title = "asks the DNS for IPv4 addresses only"
        other.warnings = ["it ends soon"]
        results.cases.append(other)
        let lines = GitHubAnnotations.render(results, file: "f").split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].hasPrefix(one.split(separator: "%0AMore:")[0]))
        #expect(lines[0].contains("%0AV6C-002 asks the DNS for IPv4 addresses only%0Afail@strict: because"))
        #expect(lines[0].components(separatedBy: "It went there.").count == 2)
        #expect(lines[0].hasSuffix("%0AMore: ipv6check explain V6C-001, ipv6check explain V6C-002"))
        #expect(lines[1].hasPrefix("::warning file=f,line=\(other.line),title=a known failure ends soon::"))
    }

    @Test func `what explains a finding is a URL if pages are published, and else a command`() throws {
        let result = try #require(Self.results.cases.first { $0.outcome == .fail })
        let finding = GateFinding(result.findings[0], of: result)
        #expect(finding.explanation(below: "https://h/x/") == "https://h/x/docs/rules/V6C-001.md")
        #expect(finding.explanation(below: nil) == "ipv6check explain V6C-001")
        let broken = try #require(GateFinding.all(in: Self.results).first { $0.rule == "suite-broken" })
        #expect(broken.explanation(below: nil) == nil)
        #expect(broken.explanation(below: "https://h/x") == "https://h/x/docs/suites.md")
    }

    @Test func `a summary that is too long is cut between two cases, and says so`() {
        var results = Self.results
        results.cases = (0..<400).map { index in
            var result = results.cases[1]
            result.test = "t\(index)"
            result.report = String(repeating: "x\n", count: 2000)
            return result
        }
        let text = MarkdownSummary.render(results)
        #expect(text.utf8.count <= 901 << 10)
        #expect(text.hasSuffix("more red cases are in the log: a summary has at most 900 KiB.\n"))
        #expect(text.split(separator: "<details>").count == text.split(separator: "</details>").count)
    }

    @Test func `one document of JSON`() throws {
        try expectGolden(
            String(decoding: SuiteJSONReport(Self.results, exitCode: 1).encoded(), as: UTF8.self), "suite.json")
    }

    @Test func `SARIF`() throws {
        try expectGolden(Self.sarif(Self.results), "suite.sarif")
    }

    static func sarif(_ results: SuiteResults) throws -> String {
        let report = SARIFReport(
            results, exitCode: results.exitCode, file: "ci/a suite.yaml", pages: "https://ipv6check.example/pages",
            digest: { "digest of \($0)" })
        return String(decoding: try report.encoded(), as: UTF8.self)
    }

    @Test func `Code Quality of GitLab`() throws {
        let text = try CodeQualityReport.encoded(Self.results, file: "ci/ipv6check.yaml", digest: { "digest of \($0)" })
        try expectGolden(String(decoding: text, as: UTF8.self), "suite.codequality.json")
    }

    @Test func `HTML`() throws { try expectGolden(HTMLReport.render(Self.results, pages: Self.page), "suite.html") }

    @Test func `nothing gets into HTML unescaped`() {
        var page = HTMLWriter()
        page.element("p", [("class", "\"'><script>")], text: "</p><script>&\u{0}\u{202e}\u{fffe}\n")
        #expect(
            page.text
                == "<p class=\"&quot;&#39;&gt;&lt;script&gt;\">&lt;/p&gt;&lt;script&gt;&amp;\u{fffd}\u{fffd}\u{fffd}\n</p>"
        )
    }

    @Test func `SARIF has at most 5,000 results, the heaviest`() throws {
        var results = Self.results
        let light = try #require(results.cases.first { $0.outcome == .pass })
        let heavy = try #require(results.cases.first { $0.outcome == .broken })
        let finding = try #require(results.cases.flatMap(\.findings).first)
        results.cases =
            (0..<6000).map { _ in
                var result = light
                result.findings = [finding]
                return result
            } + [heavy]
        let sarif = try #require(
            try JSONSerialization.jsonObject(with: Data(Self.sarif(results).utf8)) as? [String: Any])
        let run = try #require((sarif["runs"] as? [[String: Any]])?.first)
        let rows = try #require(run["results"] as? [[String: Any]])
        #expect(rows.count == 5000 && rows[0]["level"] as? String == "error")
        #expect("\(run["invocations"] ?? "")".contains("1002 more findings"))
    }

    @Test func `the screen`() throws {
        let lines = SuiteLines(style: TerminalStyle(isColoured: false), cases: Self.results.cases.map(\.id))
        var text = Self.results.cases.map { lines.line($0) + "\n" }.joined()
        for result in Self.results.red { text += lines.detail(result) }
        try expectGolden(text + lines.summary(Self.results), "suite.txt")
    }

    @Test func `nothing gets into XML unescaped`() {
        var writer = XMLWriter()
        writer.element("a", [("b", "<\"&'>\n\t\u{1}")], text: "]]><!--&amp;\u{b}\u{ffff}\r\n")
        #expect(
            writer.text
                == "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                + "<a b=\"&lt;&quot;&amp;'&gt;&#10;&#9;\u{fffd}\">]]&gt;&lt;!--&amp;amp;\u{fffd}\u{fffd}&#13;\n</a>\n")
    }

    @Test func `class name and name together are unique`() {
        let xml = JUnitReport.render(Self.results)
        let keys = xml.matches(of: /classname="([^"]*)" name="([^"]*)"/).map { "\($0.1) \($0.2)" }
        #expect(keys.count == CaseOutcome.allCases.count && Set(keys).count == keys.count)
    }

    @Test func `JUnit has only what Jenkins' xUnit plugin takes`() throws {
        var results = Self.results
        results.cases[1].inner = CaseOutcome.allCases.map { outcome in
            CaseResult.Inner(
                id: "fail/\(outcome.rawValue)@nat64", group: "shop", name: outcome.rawValue, outcome: outcome,
                seconds: 0.1, message: "because", detail: "line 1\n")
        }
        let path = FileManager.default.temporaryDirectory.appending(path: "junit-\(UUID().uuidString).xml").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let schema = "\(projectRoot)fixtures/reports/schemas/junit.xsd"
        func objection(to text: String) throws -> String? {
            try Data(text.utf8).write(to: URL(filePath: path))
            let checked = try runToEnd(["/usr/bin/xmllint", "--noout", "--schema", schema, path])
            return checked.status == 0 ? nil : checked.standardError
        }
        let text = JUnitReport.render(results)
        #expect(try objection(to: text) == nil)
        for (old, new) in [
            ("<testcase ", "<testcase file=\"f\" "), ("<testsuites ", "<testsuites skipped=\"1\" "),
            ("<system-err>", "<properties/><system-err>"),
        ] {
            #expect(text.contains(old))
            #expect(try objection(to: text.replacing(old, with: new, maxReplacements: 1)) != nil)
        }
    }

    // MARK: - Results files

    private static var events: [ResultEvent] {
        [.begin(results.header)] + results.cases.flatMap { [.start($0.id), .result($0)] }
            + [.end(ResultFooter(exitCode: 1, seconds: 82.1))]
    }

    @Test func `a results file is read as it was written`() throws {
        let file = Self.events.flatMap(ResultLines.encoded)
        let parts = try ResultLines.parts(of: file, name: "r")
        #expect(parts.count == 1)
        #expect(parts[0].header == Self.results.header)
        #expect(parts[0].cases == Self.results.cases)
        #expect(parts[0].footer == ResultFooter(exitCode: 1, seconds: 82.1))
        #expect(file.count { $0 == UInt8(ascii: "\n") } == Self.events.count)
    }

    @Test func `a results file that is cut anywhere is read as far as it goes`() throws {
        let file = Self.events.flatMap(ResultLines.encoded)
        let first = try #require(file.firstIndex(of: UInt8(ascii: "\n")))
        for end in stride(from: first, to: file.count - 2, by: 97) {
            let parts = try ResultLines.parts(of: Array(file[..<end]), name: "r")
            #expect(parts[0].footer == nil)
            #expect(parts[0].cases == Array(Self.results.cases.prefix(parts[0].cases.count)))
        }
        #expect(throws: ResultLines.Malformed.self) {
            try ResultLines.parts(of: Array(file[..<(first - 1)]), name: "r")
        }
        #expect(throws: ResultLines.Malformed.self) { try ResultLines.parts(of: [], name: "r") }
    }

    @Test func `results are found in a log, behind what its lines begin with`() throws {
        let log = Self.events.map {
            "2026-11-22T10:00:00Z stdout F " + String(decoding: ResultLines.encoded($0), as: UTF8.self)
        }
        .joined(separator: "something else\n")
        #expect(try ResultLines.parts(of: Array(log.utf8), name: "log")[0].cases == Self.results.cases)
    }
}
