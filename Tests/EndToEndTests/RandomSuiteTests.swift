// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Generated suites with known outcomes, some killed midway: exit code, screen and all formats agree.
    @Suite struct RandomSuiteTests {
        private static let isLong = ProcessInfo.processInfo.environment["IPV6CHECK_LONG_TESTS"] == "1"

        /// The keys of a test, and its outcome.
        private static let kinds: [(body: String, outcome: String)] = [
            ("command: \"true\", offline: true", "pass"), ("command: \"true\"", "fail"),
            ("command: echo text; exit 3, offline: true, expect: { exit: 3 }", "pass"),
            ("command: \"false\"", "broken"), ("command: kill -KILL $$", "broken"),
            ("command: kill -SEGV $$", "broken"), ("command: sleep 9, timeout: 50ms, grace: 0", "broken"),
            ("command: [./missing]", "error"), ("command: \"true\", skip: later", "skip"),
            ("command: \"sleep 600 & true\", offline: true", "leak"),
            ("command: [curl, -fsS, \"http://198.51.100.10/\"]", "fail"),
            (
                "command: [curl, -fsS, \"http://198.51.100.10/\"], known: { rule: V6C-001, reason: r, until: never }",
                "known"
            ),
            ("command: \"true\", offline: true, known: { rule: V6C-002, reason: r, until: never }", "fixed"),
        ]
        private static let red: Set = ["broken", "error", "fail", "fixed", "cancelled"]

        @Test func `outcomes, exit code and every format agree`() throws {
            var left = Self.isLong ? 1000 : 36
            while left > 0 {
                let count = min(left, 100)
                left -= count
                let kinds = (0..<count).map { _ in Self.kinds.randomElement()! }
                try checkWhole(kinds)
                try checkKilled(kinds, after: Double.random(in: 0.05...2))
            }
        }

        private func folder(_ kinds: [(body: String, outcome: String)]) throws -> SuiteFolder {
            try SuiteFolder(kinds.enumerated().map { "  - { name: t\($0), \($1.body) }\n" }.joined())
        }

        private func checkWhole(_ kinds: [(body: String, outcome: String)]) throws {
            let folder = try folder(kinds)
            let output = try folder.suite(
                "--results", "r.ndjson", "--junit", "j.xml", "--tap", "t.tap", "--json", "r.json", "--sarif", "r.sarif",
                "--codequality", "q.json", "--html", "r.html", "--summary", "s.md", seconds: 600)
            let expected = Dictionary(
                uniqueKeysWithValues: kinds.enumerated().map { ("t\($0)@nat64", $1.outcome) })
            #expect(output.outcomes == expected.mapValues { $0.uppercased() }, output.told)
            let outcomes = Set(expected.values)
            let code: Int32 =
                outcomes.contains("error")
                ? 2 : !outcomes.isDisjoint(with: ["fail", "fixed"]) ? 1 : outcomes.contains("broken") ? 3 : 0
            #expect(output.status == code || outcomes == ["skip"])

            let json = try folder.json("r.json")
            let cases = try #require(json["cases"] as? [[String: Any]])
            #expect(
                Dictionary(uniqueKeysWithValues: cases.map { ($0["id"] as! String, $0["outcome"] as! String) })
                    == expected)
            #expect(json["exitCode"] as? Int32 == output.status)
            let red = Set(expected.filter { Self.red.contains($0.value) }.keys)

            let schemas = Binaries.root.appending(path: "fixtures/reports/schemas").path
            let read = try folder.bash("/usr/bin/python3 \(schemas)/check.py t.tap r.sarif q.json")
            #expect(read.status == 0, read.told)
            let notOK = read.text.split(separator: "\n").filter { $0.hasPrefix("not-ok ") || $0.hasPrefix("todo ") }
            let accepted = Set(expected.filter { $0.value == "known" }.keys)
            #expect(
                Set(notOK.map { String($0.split(separator: " ")[1]) }) == red.union(accepted), "as another reads TAP")
            let xml = try folder.bash("xmllint --noout --schema \(schemas)/junit.xsd j.xml")
            #expect(xml.status == 0, xml.told)
            let junit = try folder.read("j.xml")
            #expect(junit.matches(of: #/<(failure|error) /#).count == red.count)
            let runs = try #require(try folder.json("r.sarif")["runs"] as? [[String: Any]])
            let errors = try #require(runs[0]["results"] as? [[String: Any]]).filter {
                $0["level"] as? String == "error"
            }
            #expect(
                Set(errors.map { (($0["message"] as! [String: Any])["text"] as! String).prefix { $0 != ":" } })
                    == Set(red.map { $0[...] }))
            #expect(try folder.read("r.html").matches(of: /<details open="">/).count == red.count)
            #expect(try folder.read("s.md").matches(of: #/<details>/#).count == red.count)
            #expect(try folder.merge("r.ndjson").status == output.status)
        }

        /// A killed runner leaves partial results; the other cases are red, and can be rerun.
        private func checkKilled(_ kinds: [(body: String, outcome: String)], after seconds: Double) throws {
            let folder = try folder(kinds)
            let output = try folder.bash(
                """
                "$0" suite --results r.ndjson 2> whole.txt & pid=$!
                for i in $(seq 200); do [ -s r.ndjson ] && break; sleep 0.05; done
                sleep \(seconds); kill -KILL $pid 2> /dev/null
                wait $pid
                grep -q '"end":{' r.ndjson && echo ended
                "$0" merge r.ndjson --json merged.json; echo $?
                """, seconds: 300)
            // The runner may have finished before it was killed.
            guard !output.text.hasPrefix("ended") else { return }
            #expect(output.text == "1\n" || output.text == "2\n", output.told)
            #expect(output.standardError.contains("r.ndjson is cut off"))
            let cases = try #require(try folder.json("merged.json")["cases"] as? [[String: Any]])
            #expect(cases.count == kinds.count)
            let listed = try folder.suite("--rerun", "r.ndjson", "--list").text.split(separator: "\n")
            let again = Set(listed.map { String($0.prefix { $0 != " " }) })
            for (element, kind) in zip(cases, kinds) {
                let (id, outcome) = (element["id"] as! String, element["outcome"] as! String)
                #expect(outcome == kind.outcome || outcome == "error")
                #expect(again.contains(id) == Self.red.contains(outcome))
            }
        }
    }
}
