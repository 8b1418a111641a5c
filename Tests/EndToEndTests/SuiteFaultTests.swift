// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Faults around a suite end clearly and are never green.
    @Suite struct SuiteFaultTests {
        @Test func `eight shards, of which one is killed`() throws {
            let folder = try SuiteFolder(
                (0..<24).map { "  - { name: t\($0), command: sleep 0.2 }\n" }.joined(), head: SuiteFolder.offline)
            let output = try folder.bash(
                """
                for shard in $(seq 8); do
                    "$0" suite --jobs 1 --shard $shard/8 --results $shard.ndjson & pids[$shard]=$!
                done
                for i in $(seq 300); do grep -qs '"start"' 3.ndjson && break; sleep 0.05; done
                kill -KILL ${pids[3]}
                wait
                "$0" merge [1-8].ndjson --shards 8 --junit junit.xml > merge.txt 2>&1
                echo $?
                "$0" merge [124-8].ndjson --shards 8 2>&1
                echo $?
                "$0" suite --rerun 3.ndjson --results again.ndjson
                """)
            let lines = output.text.split(separator: "\n")
            let merged = try folder.read("merge.txt")
            #expect(lines.first == "1", Comment(rawValue: merged))
            #expect(merged.contains("3.ndjson is cut off: shard 3/8 did not end."))
            #expect(merged.contains("not run: shard 3/8 left no result of it"))
            #expect(lines.contains { $0.contains("Shard 3/8 left no result.") } && lines.last == "1")
            let missing = merged.matches(of: #/ERROR +(t[0-9]+)@nat64/#).map { String($0.1) }
            #expect(
                Set(missing) == Set(output.outcomes.keys.map { String($0.prefix { $0 != "@" }) }).intersection(missing))
            #expect(!missing.isEmpty)
            #expect(try folder.read("junit.xml").contains(#"tests="24""#))
        }

        @Test(needsRoot) func `a small disk for the results is full at once, and what is on it can be read`() throws {
            let folder = try SuiteFolder(
                (0..<8).map { "  - { name: t\($0), command: \"seq 3000; exit 1\", confirm: 0 }\n" }.joined())
            let script = """
                mkdir full && mount -t tmpfs -o size=64k none full || exit 99
                "$1" suite --results full/r.ndjson --junit full/j.xml --html full/h.html; echo $?
                cp full/r.ndjson r.ndjson; ls full
                """
            let output = try run(
                ["unshare", "--mount", "env", "-C", folder.url.path, "bash", "-c", script, "bash", Binaries.ipv6check],
                seconds: 200)
            #expect(output.text == "2\nr.ndjson\n", output.told)
            #expect(output.standardError.contains("--results full/r.ndjson: No space left on device"))
            #expect(output.standardError.contains("--junit full/j.xml: No space left on device"))
            let merged = try folder.merge("r.ndjson")
            #expect(merged.status == 1 && merged.standardError.contains("r.ndjson is cut off"), merged.told)
        }

        @Test(needsRoot) func `a small disk for the output of clients is said, and is no green gate`() throws {
            let folder = try SuiteFolder("  - { name: t, command: \"seq 30000\" }\n", head: SuiteFolder.offline)
            let script = """
                mkdir full && mount -t tmpfs -o size=64k none full || exit 99
                "$1" suite --output full/o; echo $?
                """
            let output = try run([
                "unshare", "--mount", "env", "-C", folder.url.path, "bash", "-c", script, "bash", Binaries.ipv6check,
            ])
            #expect(
                output.text == "2\n" && output.standardError.contains("stdout: No space left on device"), output.told)
        }

        @Test func `results that are cut anywhere are red`() throws {
            let folder = try SuiteFolder(
                (0..<3).map { "  - { name: t\($0), command: \"true\" }\n" }.joined(), head: SuiteFolder.offline)
            #expect(try folder.suite("--results", "r.ndjson").status == 0)
            let file = Array(try folder.read("r.ndjson").utf8)
            for part in 1...6 {
                try Data(file.prefix(file.count * part / 7)).write(to: folder.url.appending(path: "cut.ndjson"))
                let status = try folder.merge("cut.ndjson").status
                #expect(status == 1 || status == 2, "\(part)/7 of the file")
            }
        }

        @Test func `two runs do not write the same results`() throws {
            let folder = try SuiteFolder("  - { name: a, command: touch started; sleep 2 }", head: SuiteFolder.offline)
            let output = try folder.bash(
                """
                "$0" suite --results r.ndjson 2>/dev/null & pid=$!
                for i in $(seq 100); do [ -e started ] && break; sleep 0.1; done
                "$0" suite --results r.ndjson; echo $?
                wait $pid; echo $?
                "$0" merge r.ndjson; echo $?
                """)
            #expect(output.text == "2\n0\n0\n", output.told)
            #expect(
                output.standardError.contains("--results r.ndjson: another run writes it; give each run its own file"))
            let twice = try folder.suite("--junit", "x", "--tap", "x")
            #expect(twice.status == 2 && twice.standardError.contains("--junit and --tap both name x"))
        }

        @Test func `a suite file that cannot be read is a mistake that is told`() throws {
            let folder = try SuiteFolder("")
            func status(_ text: [UInt8], saying part: String) throws {
                try Data(text).write(to: folder.url.appending(path: "ipv6check.yaml"))
                let output = try folder.suite()
                #expect(output.status == 2 && output.standardError.contains(part), output.told)
            }
            try status([], saying: "ipv6check.yaml")
            try status(Array("# only a comment\n".utf8), saying: "ipv6check.yaml")
            try status(Array("version: 1\ntests: &a [*a]\n".utf8), saying: "ipv6check.yaml")
            try status(Array("a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\n".utf8), saying: "ipv6check.yaml")
            try status([0xff, 0xfe, 0x00], saying: "UTF-8")
            try status(Array(repeating: UInt8(ascii: "#"), count: 3 << 20), saying: "ipv6check.yaml")
            try status(Array((String(repeating: "[", count: 100_000)).utf8), saying: "ipv6check.yaml")
            let missing = try folder.suite("none.yaml")
            #expect(missing.status == 2 && missing.standardError.contains("none.yaml"))
            #expect(try folder.suite("/").status == 2)
            #expect(try folder.suite("/dev/zero", seconds: 20).status == 2)
        }
    }
}
