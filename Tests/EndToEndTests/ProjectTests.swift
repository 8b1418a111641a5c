// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The gate of a sample project, and the files of docs/ci.md. Our own gate is in `MarkedClientTests`.
    @Suite struct ProjectTests {
        // MARK: - The shop

        private func shop() throws -> SuiteFolder {
            let folder = SuiteFolder(url: Binaries.scratch.appending(path: "shop-\(UUID().uuidString)"))
            try FileManager.default.copyItem(
                at: Binaries.root.appending(path: "fixtures/projects/shop"), to: folder.url)
            // Without a home folder Go has no cache.
            let built = try folder.bash("GOCACHE=$PWD/.cache GO111MODULE=off go build -o shopd ./service/shopd.go")
            try #require(built.status == 0, built.told)
            return folder
        }

        /// The text without the parts that differ between runs and machines, such as times and the machine's name.
        private func normalised(_ text: String) -> String {
            var text = withoutLinkNote(text)
            text = text.replacing(#/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z/#, with: "TIME")
            text = text.replacing(#/[0-9]+\.[0-9]+ s\b/#, with: "N s").replacing(#/time="[0-9.]+"/#, with: "time=\"N\"")
            text = text.replacing(#/seconds: [0-9.]+/#, with: "seconds: N")
            // If python3 is a script that runs another program, the report names that program.
            text = text.replacing(#/  by python3\.[0-9]+/#, with: "")
            // The version of the tool, not of SARIF.
            text = text.replacing(#/ {10}"version" : "[0-9.]+"/#, with: "          \"version\" : \"VERSION\"")
            return text.replacing(#/hostname="[^"]*"/#, with: "hostname=\"HOST\"")
        }

        @Test func `the gate of a project is red for what is new, and says so in every format`() throws {
            let folder = try shop()
            let output = try folder.suite(
                "--today", "2026-11-22", "--results", "r.ndjson", "--junit", "shop.xml", "--tap", "shop.tap", "--sarif",
                "shop.sarif", "--codequality", "shop.codequality.json", "--summary", "shop.md", "--html", "shop.html",
                seconds: 300)
            #expect(
                output.outcomes.filter { $0.value != "PASS" }
                    == ["update@nat64": "KNOWN", "sync@nat64": "KNOWN", "telemetry@nat64": "FAIL"], output.told)
            #expect(output.status == 1)
            for name in ["shop.xml", "shop.tap", "shop.sarif", "shop.codequality.json", "shop.md"] {
                let golden = Binaries.root.appending(path: "fixtures/reports/\(name)")
                let text = normalised(try folder.read(name))
                if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" { try Data(text.utf8).write(to: golden) }
                #expect(text == (try String(contentsOf: golden, encoding: .utf8)), "\(name)")
            }
            let schemas = Binaries.root.appending(path: "fixtures/reports/schemas").path
            let read = try folder.bash(
                "/usr/bin/python3 \(schemas)/check.py shop.tap shop.sarif shop.codequality.json && xmllint --noout --schema \(schemas)/junit.xsd shop.xml && xmllint --html --noout shop.html"
            )
            #expect(read.status == 0, read.told)
            // A merge of this one run gives the same reports.
            let merged = try folder.merge("r.ndjson", "--sarif", "merged.sarif", "--html", "merged.html")
            #expect(merged.status == 1)
            #expect(try folder.read("merged.sarif") == folder.read("shop.sarif"))
            #expect(try folder.read("merged.html") == folder.read("shop.html"))
        }

        // MARK: - docs/ci.md

        /// The shell steps of a file on the page, with their names.
        private func steps(of file: String) throws -> [(name: String, script: String)] {
            let out = Binaries.scratch.appending(path: "ci")
            let made = try run(
                ["/usr/bin/python3", Binaries.root.appending(path: "scripts/lib/ci_steps.py").path, out.path])
            try #require(made.status == 0, made.told)
            let names = try FileManager.default.contentsOfDirectory(atPath: out.appending(path: "steps").path)
            return try names.sorted().filter { $0.contains("-\(file).") }.map { name in
                let path = out.appending(path: "steps/\(name)")
                let text = try String(contentsOf: path, encoding: .utf8)
                let title = text.split(separator: "\n").first { $0.hasPrefix("# ") }
                return (title.map { String($0.dropFirst(2)) } ?? "", path.path)
            }
        }

        /// The environment variables as set by GitHub.
        private func variables(_ folder: SuiteFolder) -> [String: String] {
            [
                "PATH": Binaries.directory.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? ""),
                "CI": "true",
                "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": folder.url.path,
                "GITHUB_STEP_SUMMARY": folder.path("summary.md"),
            ]
        }

        private func perform(_ step: String, in folder: SuiteFolder, _ more: [String: String] = [:]) throws -> Output {
            try run(
                ["env", "-C", folder.url.path, "bash", "--noprofile", "--norc", "-eo", "pipefail", step], seconds: 200,
                environment: variables(folder).merging(more) { $1 })
        }

        @Test func `the steps for GitHub do what the page says`() throws {
            let folder = try shop()
            let step = try #require(try steps(of: "ipv6.yml").first { $0.name == "Run the suite" })
            let output = try perform(step.script, in: folder)
            #expect(output.status == 1, output.told)
            #expect(output.standardError.contains("::error file=shop.py,line=38,title=V6C-001"), output.told)
            for name in ["results.ndjson", "junit.xml", "ipv6.sarif", "report.html", "summary.md"] {
                #expect(try !folder.read(name).isEmpty, "\(name)")
            }
        }

        @Test func `the steps for GitHub in shards merge to the same`() throws {
            let folder = try shop()
            let steps = try steps(of: "ipv6-shards.yml")
            let shard = try #require(steps.first { $0.name == "Run a shard" })
            let merge = try #require(steps.first { $0.name == "Merge" })
            for number in 1...4 { _ = try perform(shard.script, in: folder, ["SHARD": "\(number)"]) }
            let output = try perform(merge.script, in: folder)
            #expect(
                output.status == 1 && output.standardError.contains("12 cases: 9 passed, 1 failed, 2 known"),
                output.told)
            #expect(try folder.read("junit.xml").contains(#"tests="16" failures="1""#))
            try FileManager.default.removeItem(atPath: folder.path("2.ndjson"))
            #expect(try perform(merge.script, in: folder).standardError.contains("Shard 2/4 left no result."))
        }
    }
}
