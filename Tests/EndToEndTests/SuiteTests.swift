// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TestSupport

extension EndToEnd {
    /// `ipv6check suite` and `ipv6check merge`.
    @Suite struct SuiteTests {
        /// Creates a folder with a suite file.
        private func folder(_ tests: String, head: String = "") throws -> URL {
            let folder = Binaries.scratch.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
            let text = "version: 1\nname: shop\n\(head)\ntests:\n\(tests)"
            try Data(text.utf8).write(to: folder.appending(path: "ipv6check.yaml"))
            return folder
        }

        private func suite(
            _ folder: URL, _ options: String..., as user: User = .available[0], seconds: Int = 90,
            environment: [String: String] = [:]
        ) throws -> Output {
            try run(
                ["env", "-C", folder.path, Binaries.ipv6check, "suite"] + options, as: user, seconds: seconds,
                environment: environment)
        }

        private func words(_ output: Output) -> [String: String] {
            let lines = output.standardError.split(separator: "\n").map { $0.split(separator: " ") }
            return Dictionary(
                lines.filter { $0.count > 1 && $0[1].contains("@") && $0[0].allSatisfy { $0.isUppercase || $0 == "-" } }
                    .map { (String($0[1]), String($0[0])) }, uniquingKeysWith: { first, _ in first })
        }

        @Test func `what should fail is a pass by failing, and red by working`() throws {
            let folder = try folder(
                """
                  - { name: nowhere, command: [curl, -fsS, "http://shop.test/"], networks: [strict], fails: { on: [strict], reason: it has IPv4 alone } }
                  - { name: works, command: [curl, -fsS, "http://dual.test/"], networks: [strict], fails: [{ on: [strict], reason: it has IPv4 alone }] }
                  - { name: broken, command: "false", offline: true, networks: [strict], fails: { on: [strict], reason: it is wrong } }
                """)
            let said = try suite(folder)
            #expect(said.status == 1)
            let words = words(said)
            #expect(
                words["nowhere@strict"] == "PASS" && words["works@strict"] == "FAIL"
                    && words["broken@strict"] == "BROKEN")
            #expect(said.standardError.contains("works, and should fail: it has IPv4 alone"), "\(said.standardError)")
        }

        private static let every = """
              - { name: works, command: [curl, -fsS, "http://shop.test/"], networks: [nat64, dual-stack] }
              - { name: literal, command: [curl, -fsS, "http://198.51.100.10/"] }
              - name: known
                command: [curl, -fsS, "http://198.51.100.10/"]
                known: { rule: V6C-001, target: 198.51.100.10, reason: the vendor's, until: 2027-03-31 }
              - name: fixed
                command: [curl, -fsS, "http://shop.test/"]
                known: { rule: V6C-001, reason: the vendor's, until: never }
              - { name: broken, command: "false" }
              - { name: late, command: "trap '' TERM; sleep 60", timeout: 300ms, grace: 100ms }
              - { name: gone, command: [./no-such-program] }
              - { name: skipped, command: "true", skip: no licence }
              - { name: leaves, command: "sleep 600 & true", offline: true }
              - { name: three, command: exit 3, expect: { exit: 3 }, offline: true }
              - { name: prints, command: echo "$A $OUT", env: { A: b }, expect: { stdout: { matches: "^b /.*/out" } }, offline: true }
              - { name: silent, command: "true", expect: { stdout: { contains: items } } }
            """

        @Test(arguments: User.available) func `each case ends as it is`(_ user: User) throws {
            let output = try suite(try folder(Self.every), "--today", "2026-11-22", as: user)
            #expect(
                words(output) == [
                    "works@nat64": "PASS", "works@dual-stack": "PASS", "literal@nat64": "FAIL", "known@nat64": "KNOWN",
                    "fixed@nat64": "FIXED", "broken@nat64": "BROKEN", "late@nat64": "BROKEN", "gone@nat64": "ERROR",
                    "skipped@nat64": "SKIP", "leaves@nat64": "LEAK", "three@nat64": "PASS", "prints@nat64": "PASS",
                    "silent@nat64": "BROKEN",
                ], Comment(rawValue: output.standardError))
            #expect(output.status == 2, "an error of usage weighs most")
            #expect(output.standardError.contains("V6C-001 198.51.100.10 tcp/80"))
            #expect(output.text.isEmpty)
        }

        @Test(arguments: [[], ["--output", "kept"]])
        func `a socket with a long name fits into TMPDIR, whatever the test is called`(options: [String]) throws {
            let bind = "import os, socket; socket.socket(socket.AF_UNIX).bind(os.environ['TMPDIR'] + '/' + 60 * 'x')"
            let name = String(repeating: "n", count: 60)
            let folder = try folder(
                "  - { name: \(name), command: [python3, -c, \"\(bind)\"] }", head: SuiteFolder.offline)
            let output = try run(["env", "-C", folder.path, Binaries.ipv6check, "suite"] + options)
            #expect(output.status == 0, output.told)
        }

        @Test func `a known failure that is over is red`() throws {
            let folder = try folder(Self.every)
            let output = try suite(folder, "--today", "2027-04-01", "--filter", "known")
            #expect(words(output) == ["known@nat64": "EXPIRED"])
            #expect(output.status == 1)
        }

        @Test func `only broken cases are 3, and nothing selected is 4`() throws {
            let folder = try folder(Self.every)
            #expect(try suite(folder, "--filter", "broken").status == 3)
            #expect(try suite(folder, "--filter", "works").status == 0)
            let none = try suite(folder, "--filter", "wroks")
            #expect(none.status == 4 && none.standardError.contains("none of its 12 tests is selected"))
            #expect(try suite(folder, "--filter", "skipped").status == 4)
            let tagged = try suite(folder, "--tag", "smoke")
            #expect(tagged.status == 4 && tagged.standardError.contains("; they have no tags"), tagged.told)
        }

        @Test func `a suite file is found in a folder above, and runs there`() throws {
            let folder = try folder("  - { name: here, command: test -e ipv6check.yaml }", head: SuiteFolder.offline)
            let below = folder.appending(path: "a/b")
            try FileManager.default.createDirectory(at: below, withIntermediateDirectories: true)
            let output = try suite(below)
            #expect(output.status == 0, Comment(rawValue: output.standardError))
            let nowhere = try suite(URL(filePath: "/"), "--list")
            #expect(nowhere.status == 2 && nowhere.standardError.contains("ipv6check suite init"))
        }

        @Test func `the same port in many cases at once`() throws {
            let program = """
                import socket, time
                s = socket.create_server(("::1", 8080), family=socket.AF_INET6)
                time.sleep(1)
                """
            try Data(program.utf8).write(to: Binaries.scratch.appending(path: "port.py"))
            let path = Binaries.scratch.appending(path: "port.py").path
            let folder = try folder(
                (1...6).map { "  - { name: t\($0), command: [python3, \(path)] }\n" }.joined(),
                head: SuiteFolder.offline)
            let output = try suite(folder, "--jobs", "6")
            #expect(output.status == 0, Comment(rawValue: output.standardError))
        }

        @Test func `init writes a suite that passes, and not over another`() throws {
            let folder = Binaries.scratch.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            #expect(try suite(folder, "init").status == 0)
            #expect(try suite(folder).status == 0)
            #expect(try suite(folder, "check").text == "ipv6check.yaml: 1 test, 1 case; no mistakes\n")
            let again = try suite(folder, "init")
            #expect(again.status == 2 && again.standardError.contains("File exists"))
        }

        @Test func `list and dry-run run nothing`() throws {
            let folder = try folder(
                "  - { name: a, command: touch ran }\n  - { name: b, command: [x, \"y z\"], skip: later }")
            #expect(try suite(folder, "--list").text == "a@nat64\nb@nat64  # skip: later\n")
            #expect(try suite(folder, "--dry-run").text == "a@nat64  touch ran\nb@nat64  x 'y z'  # skip: later\n")
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "ran").path))
        }

        @Test func `every mistake is told with its place`() throws {
            let output = try suite(try folder("  - { nam: a }\n  - { name: b, command: x, timeout: y }"), "check")
            #expect(output.status == 2)
            #expect(output.standardError.contains("ipv6check.yaml:5:7: unknown key \"nam\" (did you mean \"name\"?)"))
            #expect(output.standardError.contains("ipv6check.yaml:6:37: timeout must be a time"))
        }

        // MARK: - Files

        @Test func `every format has the same cases`() throws {
            let folder = try folder(Self.every)
            let output = try suite(
                folder, "--results", "r.ndjson", "--junit", "j.xml", "--tap", "-", "--json", "j.json", "--output",
                "kept",
                "--today", "2026-11-22")
            #expect(output.text.hasPrefix("TAP version 14\n1..13\n"))
            #expect(
                output.text.contains(
                    "not ok 4 - known@nat64 # TODO V6C-001 198.51.100.10, until 2027-03-31: the vendor's"))
            let xml = try String(contentsOf: folder.appending(path: "j.xml"), encoding: .utf8)
            #expect(xml.contains(#"<testsuites name="shop" tests="13" failures="2" errors="4" time="#))
            let json = try #require(
                try JSONSerialization.jsonObject(with: Data(contentsOf: folder.appending(path: "j.json")))
                    as? [String: Any])
            #expect((json["cases"] as? [Any])?.count == 13)
            #expect(json["exitCode"] as? Int == 2)
            // The only TAP parser that is available everywhere knows version 13.
            try Data(output.text.replacing("TAP version 14", with: "TAP version 13").utf8)
                .write(to: folder.appending(path: "t.tap"))
            let read = try run(["prove", "--exec", "cat", folder.appending(path: "t.tap").path])
            #expect(read.text.contains("Failed tests:  3, 5-8, 13"), Comment(rawValue: read.text))
            #expect(!read.text.contains("Parse errors"))
            let checked = try run(["xmllint", "--noout", folder.appending(path: "j.xml").path])
            #expect(checked.status == 0, Comment(rawValue: checked.standardError))
            let merged = try run(["env", "-C", folder.path, Binaries.ipv6check, "merge", "r.ndjson"])
            #expect(merged.status == 2)
            #expect(words(merged) == words(output))
            let kept = folder.appending(path: "kept/prints@nat64/first/stdout")
            #expect(try String(contentsOf: kept, encoding: .utf8).hasPrefix("b /"))
        }

        @Test func `a full disk for the results is said, and no green gate`() throws {
            let folder = try folder("  - { name: a, command: \"true\" }", head: SuiteFolder.offline)
            for option in ["--results", "--junit", "--json"] {
                let output = try suite(folder, option, "/dev/full")
                #expect(output.status == 2, Comment(rawValue: output.standardError))
                #expect(output.standardError.contains("\(option) /dev/full: No space left on device"))
            }
            #expect(try suite(folder, "--junit", "/no/such/folder/j.xml").status == 2)
        }

        @Test func `a client that prints without end is read, and kept short`() throws {
            let folder = try folder(
                "  - { name: a, command: \"head -c 100000000 /dev/zero | tr '\\\\0' x; echo; echo the end; exit 1\" }")
            let output = try suite(folder, "--results", "r.ndjson", "--junit", "j.xml", "--output", "kept")
            #expect(output.status == 3)
            #expect(output.standardError.contains("the end"))
            let contents = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            for name in contents where name != "kept" {
                let size =
                    try FileManager.default.attributesOfItem(atPath: folder.appending(path: name).path)[.size] as? Int
                #expect(try #require(size) < 200_000, "\(name)")
            }
            let kept = try FileManager.default.attributesOfItem(
                atPath: folder.appending(path: "kept/a@nat64/first/stdout").path)
            #expect(try #require(kept[.size] as? Int) < 2_000_000)
        }

        @Test func `the baseline accepts, adds and prunes`() throws {
            let literal = "  - { name: literal, command: [curl, -fsS, \"http://198.51.100.10/\"] }"
            let folder = try folder(literal, head: "baseline: baseline.txt")
            let file = folder.appending(path: "baseline.txt")
            #expect(try suite(folder).status == 2, "a baseline that is missing is a mistake")
            #expect(try suite(folder, "--baseline", "none").status == 1)
            #expect(try suite(folder, "--baseline", "update").status == 0)
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.hasSuffix("\nV6C-001 literal curl 198.51.100.10 tcp/80\n"))
            let accepted = try suite(folder)
            #expect(accepted.status == 0 && words(accepted) == ["literal@nat64": "KNOWN"])
            try Data((text + "V6C-001 literal curl 203.0.113.5 tcp/80\n").utf8).write(to: file)
            let gone = try suite(folder)
            #expect(gone.status == 0 && gone.standardError.contains("gone from the baseline: 1"))
            #expect(try suite(folder, "--baseline", "prune").status == 0)
            #expect(try String(contentsOf: file, encoding: .utf8) == text)
        }

        // MARK: - Ends

        @Test(arguments: User.available) func `a signal ends everything, and what there is is written`(_ user: User)
            throws
        {
            let folder = try folder(
                "  - { name: a, command: \"true\" }\n  - { name: b, command: \"touch started; trap '' TERM; sleep 4242\", grace: 1s }\n"
                    + "  - { name: c, command: \"true\" }", head: SuiteFolder.offline)
            let script = """
                "$0" suite --jobs 1 --results r.ndjson --junit j.xml & pid=$!
                for i in $(seq 300); do [ -e started ] && break; sleep 0.1; done
                kill -TERM $pid
                wait $pid
                """
            let output = try run(
                ["env", "-C", folder.path, "bash", "-c", script, Binaries.ipv6check], as: user, seconds: 60)
            #expect(output.status == 143, Comment(rawValue: output.standardError))
            #expect(words(output) == ["a@nat64": "PASS", "b@nat64": "CANCELLED", "c@nat64": "CANCELLED"])
            let results = try String(contentsOf: folder.appending(path: "r.ndjson"), encoding: .utf8)
            #expect(results.contains(#""signal":15"#))
            let xml = try String(contentsOf: folder.appending(path: "j.xml"), encoding: .utf8)
            #expect(xml.contains(#"tests="3" failures="0" errors="2""#))
            #expect(try run(["pgrep", "-f", "[s]leep 4242"]).status == 1, "nothing is left")
            let merged = try run(["env", "-C", folder.path, Binaries.ipv6check, "merge", "r.ndjson"])
            #expect(merged.status == 1 && merged.standardError.contains("not run"))
        }

        @Test(arguments: User.available) func `with the runner its clients end, whatever kills it`(_ user: User) throws
        {
            let folder = try folder(
                "  - { name: b, command: \"touch started; sleep 4243\" }\n  - { name: other, command: \"true\" }",
                head: SuiteFolder.offline)
            let temporary = folder.appending(path: "tmp")
            try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: temporary.path)
            let script = """
                export TMPDIR=tmp
                "$0" suite --filter b --results r.ndjson & pid=$!
                for i in $(seq 300); do [ -e started ] && break; sleep 0.1; done
                kill -KILL $pid
                for i in $(seq 50); do pgrep -f "[s]leep 4243" > /dev/null || break; sleep 0.1; done
                pgrep -f "[s]leep 4243" && exit 1
                ls -d tmp/ipv6check-suite.* || exit 2
                "$0" suite check && "$0" suite --filter other
                ls -d tmp/ipv6check-suite.* && exit 3
                exit 0
                """
            let output = try run(
                ["env", "-C", folder.path, "bash", "-c", script, Binaries.ipv6check], as: user, seconds: 60)
            #expect(
                output.status == 0,
                "1: the client lives on; 2: no folder was left; 3: the next suite does not remove it")
            let merged = try run(["env", "-C", folder.path, Binaries.ipv6check, "merge", "r.ndjson"])
            #expect(merged.status == 1 && merged.standardError.contains("r.ndjson is cut off"))
        }

        @Test func `after so many red cases no further one starts`() throws {
            let folder = try folder((1...5).map { "  - { name: t\($0), command: \"false\" }\n" }.joined())
            let output = try suite(folder, "--jobs", "1", "--max-fail", "2")
            #expect(output.standardError.contains("2 broken, 3 not run"), Comment(rawValue: output.standardError))
            #expect(output.status == 1)
        }

        // MARK: - Shards

        @Test func `shards are merged, and one that is missing is red`() throws {
            let folder = try folder(
                (1...9).map { "  - { name: t\($0), command: \"true\" }\n" }.joined(), head: SuiteFolder.offline)
            for number in 1...3 {
                #expect(try suite(folder, "--shard", "\(number)/3", "--results", "\(number).ndjson").status == 0)
            }
            let environment = ["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "3"]
            #expect(
                try suite(folder, "--shard", "auto", "--list", environment: environment).text
                    == (try suite(folder, "--shard", "1/3", "--list").text))
            func merge(_ arguments: String...) throws -> Output {
                try run(["env", "-C", folder.path, Binaries.ipv6check, "merge"] + arguments)
            }
            let all = try merge("1.ndjson", "2.ndjson", "3.ndjson", "--shards", "3")
            #expect(
                all.status == 0 && all.standardError.contains("9 cases: 9 passed"), Comment(rawValue: all.standardError)
            )
            let two = try merge("1.ndjson", "3.ndjson")
            #expect(two.status == 1 && two.standardError.contains("shard 2/3 left no result"))
            #expect(try merge("1.ndjson", "--shards", "4").status == 2)
            #expect(try merge("ipv6check.yaml").status == 2)
        }
    }
}
