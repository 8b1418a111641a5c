// SPDX-License-Identifier: Apache-2.0
package import CheckRunner
import Glibc
import LinuxNet
package import Reports
package import Sandbox
import Suites

/// The results of several shards, reported as those of one run.
package struct Merge {
    /// `-` is standard input.
    package var paths: [String]
    package var shards: Int?
    package var reports: ReportPaths
    package var annotations: AnnotationChoice
    package var colour: ColourChoice

    package init(
        paths: [String], shards: Int?, reports: ReportPaths, annotations: AnnotationChoice, colour: ColourChoice
    ) {
        self.paths = paths
        self.shards = shards
        self.reports = reports
        self.annotations = annotations
        self.colour = colour
    }

    package func run(_ environment: Environment) throws(CheckFailure) -> Int32 {
        let parts = try paths.map { path throws(CheckFailure) in try ResultsFile.parts(in: path) }.flatMap(\.self)
        let files = try ReportFiles(reports, environment)
        let merged: MergedResults
        do throws(MergedResults.Refusal) {
            merged = try MergedResults(parts, shards: shards)
        } catch {
            throw CheckFailure("\(error)", .usage)
        }
        let results = merged.results
        let code = results.exitCode
        files.write(.begin(results.header))
        for result in results.cases { files.write(.result(result)) }
        files.write(.end(ResultFooter(exitCode: code, seconds: results.seconds, gone: results.gone)))
        let file = repositoryPath(results.header.file, absolute: results.header.file, environment)
        files.write(results, exitCode: code, file: file, environment)
        let lines = SuiteLines(style: Console.style(environment, colour), cases: results.cases.map(\.id))
        var text = results.cases.map { lines.line($0) + "\n" }.joined()
        for result in results.red { text += lines.detail(result) }
        text += lines.notes(results) + merged.notes.map(lines.note).joined()
        Console.write(text + lines.summary(results))
        Console.writeCommands(annotations.text(results, file: file, environment))
        for failure in files.failures + files.warnings { Console.write("ipv6check: \(failure)\n") }
        return files.failures.isEmpty || code == ExitCode.machineCannot.rawValue ? code : ExitCode.usage.rawValue
    }
}
