// SPDX-License-Identifier: Apache-2.0
import Foundation
import Reports
import Sandbox
import Suites
import Testing
import Topology

@testable import SuiteRunner

@Suite final class ReportFilesTests {
    private let folder: URL
    private let results: SuiteResults

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "report-files-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let element = SuiteCase(test: SuiteTest(name: "fetch", command: .words(["./shop"])), network: .nat64)
        let header = ResultHeader(
            suite: "shop", file: "ipv6check.yaml", digest: "sha256:0", shard: nil,
            timestamp: "2026-11-22T02:04:16.000Z",
            host: "runner-7", cases: [element])
        results = SuiteResults(header: header, cases: [CaseResult(element, .pass, seconds: 0.1)], seconds: 0.1)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Writes the reports, with GitHub's job summary at this path.
    private func write(_ paths: ReportPaths = ReportPaths(), summary: String) throws -> ReportFiles {
        let environment = Environment(entries: [OSString("GITHUB_STEP_SUMMARY=\(summary)")])
        let files = try ReportFiles(paths, environment)
        files.write(results, exitCode: 0, file: "ipv6check.yaml", environment)
        return files
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    @Test func `the job summary of GitHub is added to, unasked`() throws {
        try Data("# Of another step\n".utf8).write(to: folder.appending(path: "s"))
        for _ in 0..<2 {
            let files = try write(summary: path("s"))
            #expect(files.failures.isEmpty && files.warnings.isEmpty)
        }
        let summary = MarkdownSummary.render(results)
        #expect(try text("s") == "# Of another step\n" + summary + summary)
    }

    @Test func `the file of --summary takes its place`() throws {
        let files = try write(ReportPaths(documents: [.summary: path("mine")]), summary: path("s"))
        #expect(files.failures.isEmpty && files.warnings.isEmpty)
        #expect(try text("mine") == MarkdownSummary.render(results))
        #expect(!FileManager.default.fileExists(atPath: path("s")))
    }

    @Test func `a job summary that cannot be written is a warning and no failure`() throws {
        let files = try write(summary: path("nowhere/s"))
        #expect(files.failures.isEmpty)
        #expect(
            files.warnings == [
                "warning: no job summary: GITHUB_STEP_SUMMARY \(path("nowhere/s")): No such file or directory"
            ])
    }

    @Test func `without the variable, or with an empty one, there is none`() throws {
        #expect(try write(summary: "").warnings.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}
