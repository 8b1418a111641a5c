// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Choices of the command line and the suite: tries, times, what is red, which cases.
    @Suite struct SuiteChoiceTests {
        /// Works from its third run on, and uses the network then.
        private static let third =
            "n=$(cat count 2>/dev/null || echo 0); echo $((n + 1)) > count; [ $n -ge 2 ] && curl -fsS http://shop.test/"

        @Test func `a case that works at its second try is flaky, and that may be red`() throws {
            // Each try of a broken command takes two runs on nat64 and one on dual-stack.
            let folder = try SuiteFolder("  - { name: a, command: \"\(Self.third)\", networks: [dual-stack] }")
            let once = try folder.suite()
            #expect(once.outcomes == ["a@dual-stack": "BROKEN"] && once.status == 3, once.told)
            try FileManager.default.removeItem(at: folder.url.appending(path: "count"))
            let again = try folder.suite("--retries", "1", "--json", "r.json", "--output", "kept")
            #expect(again.outcomes == ["a@dual-stack": "FLAKY"] && again.status == 0, again.told)
            #expect(again.standardError.contains("passed at try 2 of 2"))
            #expect(try #require(try folder.json("r.json")["cases"] as? [[String: Any]])[0]["tries"] as? Int == 2)
            #expect(FileManager.default.fileExists(atPath: folder.path("kept/a@dual-stack/try-2/first/stdout")))
        }

        @Test func `a folder for what is kept that cannot be made is a mistake of the command line`() throws {
            let output = try SuiteFolder("  - { name: a, command: \"true\" }").suite("--output", "/proc/none")
            #expect(output.status == 2, output.told)
            #expect(output.standardError.contains("--output /proc/none: this folder cannot be made"), output.told)
        }

        @Test func `leaks, flaky cases and fixed ones are red as the suite says`() throws {
            let folder = try SuiteFolder(
                """
                  - { name: leaves, command: "sleep 600 & true" }
                  - { name: leaves-well, command: "sleep 600 & true", leaks: pass }
                  - { name: fixed, command: "true", known: { rule: V6C-001, reason: r, until: never } }
                """, head: "defaults: { leaks: fail, offline: true }")
            let output = try folder.suite("--junit", "j.xml", "--tap", "t.tap")
            #expect(
                output.outcomes == ["leaves@nat64": "LEAK", "leaves-well@nat64": "LEAK", "fixed@nat64": "FIXED"],
                output.told)
            #expect(output.status == 1)
            #expect(
                output.standardError.contains("3 cases: 1 passed, 1 with processes left over, 1 fixed; 1 with"),
                output.told)
            #expect(try folder.read("j.xml").contains(#"tests="3" failures="2" errors="0""#))
            #expect(try folder.read("t.tap").contains("not ok 1 - leaves@nat64\n"))
            #expect(try folder.suite("--filter", "fixed", "--allow-fixed").status == 0)
            #expect(try folder.suite("--filter", "leaves-well").status == 0)
        }

        @Test func `a failure is seen again as often as confirm says`() throws {
            let folder = try SuiteFolder(
                (0...2).map { "  - { name: c\($0), command: \"false\", confirm: \($0) }\n" }.joined())
            _ = try folder.suite("--json", "r.json", "--output", "kept")
            let cases = try #require(try folder.json("r.json")["cases"] as? [[String: Any]])
            for (number, element) in cases.enumerated() {
                let runs = try FileManager.default.contentsOfDirectory(atPath: folder.path("kept/c\(number)@nat64"))
                #expect(runs.sorted() == ["again", "again-2"].prefix(number) + ["control", "first"])
                let roles = try #require(element["runs"] as? [[String: Any]]).map { $0["role"] as? String }
                #expect(roles == ["first"] + (number > 0 ? ["again"] : []) + ["control"])
            }
        }

        @Test func `repetitions end with the first that is not green`() throws {
            let folder = try SuiteFolder(
                "  - { name: a, command: echo x >> runs, offline: true }\n  - { name: b, command: \"echo x >> bad; [ $(wc -l < bad) -lt 3 ]\", networks: [dual-stack], offline: true }"
            )
            let output = try folder.suite("--repeat", "4")
            #expect(output.outcomes["a@nat64"] == "PASS", output.told)
            #expect(try folder.read("runs") == "x\nx\nx\nx\n")
            #expect(output.outcomes["b@dual-stack"] == "BROKEN")
            #expect(output.standardError.contains("repetition 3 of 4"))
            #expect(try folder.suite("--repeat", "2", "--retries", "1").status == 2)
        }

        @Test func `only what was red is run again`() throws {
            let folder = try SuiteFolder(
                "  - { name: a, command: \"true\" }\n  - { name: b, command: test -e mended }\n  - { name: c, command: \"true\", skip: later }",
                head: SuiteFolder.offline
            )
            #expect(try folder.suite("--results", "r.ndjson").status == 3)
            try folder.write("", to: "mended")
            let output = try folder.suite("--rerun", "r.ndjson", "--results", "r2.ndjson")
            #expect(output.outcomes == ["b@nat64": "PASS"] && output.status == 0, output.told)
            let nothing = try folder.suite("--rerun", "r2.ndjson")
            #expect(nothing.status == 4 && nothing.standardError.contains("nothing was red in r2.ndjson"))
            #expect(try folder.suite("--rerun", "ipv6check.yaml").status == 2)
        }

        @Test func `timings cut the shards, and shards that were cut otherwise are not merged`() throws {
            let folder = try SuiteFolder(
                "  - { name: long, command: sleep 2 }\n"
                    + (1...5).map { "  - { name: t\($0), command: \"true\" }\n" }.joined(), head: SuiteFolder.offline)
            #expect(try folder.suite("--results", "all.ndjson").status == 0)
            let first = try folder.suite("--timings", "all.ndjson", "--shard", "1/2", "--results", "1.ndjson")
            let second = try folder.suite("--timings", "all.ndjson", "--shard", "2/2", "--results", "2.ndjson")
            #expect(first.outcomes.keys.contains("long@nat64") && first.outcomes.count + second.outcomes.count == 6)
            #expect(first.outcomes.count < second.outcomes.count, "the long one counts as several")
            #expect(try folder.merge("1.ndjson", "2.ndjson", "--shards", "2").status == 0)
            _ = try folder.suite("--shard", "2/2", "--results", "other.ndjson")
            let refused = try folder.merge("1.ndjson", "other.ndjson")
            #expect(refused.status == 2 && refused.standardError.contains("different timings"), refused.told)
            #expect(try folder.suite("--timings", "all.ndjson").status == 2)
        }

        @Test func `when the suite's time is over, what runs ends and the rest is not run`() throws {
            let folder = try SuiteFolder(
                "  - { name: a, command: \"true\" }\n  - { name: b, command: sleep 4244 }\n  - { name: c, command: \"true\" }",
                head: SuiteFolder.offline
            )
            let output = try folder.suite(
                "--jobs", "1", "--suite-timeout", "3", "--results", "r.ndjson", "--junit", "j.xml")
            #expect(output.status == 124, output.told)
            #expect(output.outcomes == ["a@nat64": "PASS", "b@nat64": "CANCELLED", "c@nat64": "CANCELLED"])
            #expect(try folder.read("r.ndjson").contains(#""end":{"exitCode":124"#))
            #expect(try folder.read("j.xml").contains(#"tests="3" failures="0" errors="2""#))
            #expect(try folder.merge("r.ndjson").status == 1)
            #expect(try folder.suite("--rerun", "r.ndjson", "--list").text == "b@nat64\nc@nat64\n")
        }

        @Test func `a timeout on the command line is that of each run`() throws {
            let folder = try SuiteFolder("  - { name: a, command: sleep 5, timeout: 40s }", head: SuiteFolder.offline)
            let output = try folder.suite("--timeout", "300ms")
            #expect(
                output.outcomes == ["a@nat64": "BROKEN"] && output.standardError.contains("after 0.30 s"), output.told)
            #expect(try folder.suite("--timeout", "0").status == 2)
        }

        // MARK: - add

        @Test func `a command is added with the names that it asks for, and the file's comments stay`() throws {
            let folder = try SuiteFolder(
                "  # The first.\n  - name: a\n    command: [\"true\"]\n    offline: true # works\n\n# What follows is the world's.\n",
                head: "# About this file.")
            try folder.write(try folder.read("ipv6check.yaml") + "networks: [nat64]\n", to: "ipv6check.yaml")
            let before = try folder.read("ipv6check.yaml")
            let output = try folder.suite("add", "--", "curl", "-fsS", "http://shop.test/ip")
            #expect(output.status == 0, output.told)
            #expect(output.text.hasSuffix("ipv6check.yaml: added test \"curl\" (looks up shop.test)\n"))
            let added = "  # Asked for: shop.test\n  - name: curl\n    command: [curl, -fsS, \"http://shop.test/ip\"]\n"
            let after = try folder.read("ipv6check.yaml")
            #expect(after == before.replacing("# works\n", with: "# works\n" + added))
            #expect(try folder.suite().outcomes == ["a@nat64": "PASS", "curl@nat64": "PASS"])
            let bad = try folder.suite("add", "--", "curl", "-fsS", "http://198.51.100.10/")
            #expect(bad.status == 1 && bad.standardError.contains("is unchanged"), bad.told)
            #expect(try folder.read("ipv6check.yaml") == after)
        }

        @Test func `without a suite file, one is made`() throws {
            let folder = try SuiteFolder("")
            try FileManager.default.removeItem(atPath: folder.path("ipv6check.yaml"))
            #expect(try folder.suite("add", "--name", "t", "--", "true").status == 0)
            #expect(
                try folder.read("ipv6check.yaml")
                    == "version: 1\ntests:\n  - name: t\n    command: [\"true\"]\n    offline: true\n")
            #expect(try folder.suite("add", "--name", "t", "--", "true").status == 2)
            #expect(try folder.suite("add").status == 2)
        }
    }
}
