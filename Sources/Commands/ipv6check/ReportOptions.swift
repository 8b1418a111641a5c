// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import SuiteRunner

extension AnnotationChoice: ExpressibleByArgument {}

/// The files for the results of a suite; `-` is standard output.
struct ReportOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Write the results as JUnit XML.", valueName: "file"))
    var junit: String?

    @Option(help: ArgumentHelp("Write the results as TAP 14.", valueName: "file"))
    var tap: String?

    @Option(help: ArgumentHelp("Write the results as one JSON document.", valueName: "file"))
    var json: String?

    @Option(
        help: ArgumentHelp(
            "Add the results to this file as Markdown (default: GitHub's job summary, in GitHub Actions).",
            valueName: "file"))
    var summary: String?

    @Option(help: ArgumentHelp("Write the findings as SARIF 2.1.0, for GitHub's code scanning.", valueName: "file"))
    var sarif: String?

    @Option(help: ArgumentHelp("Write the findings for GitLab's Code Quality.", valueName: "file"))
    var codequality: String?

    @Option(help: ArgumentHelp("Write the results as one page of HTML.", valueName: "file"))
    var html: String?

    @Option(
        help: ArgumentHelp(
            "Write what buyers ask of IPv6, and what the tests say to it: as Markdown, or as the name ends, .html or .json.",
            valueName: "file"))
    var statement: String?

    @Option(help: "Show red cases at the lines of the suite file in GitHub: auto, always or never.")
    var annotations = AnnotationChoice.auto

    /// - Parameter results: the file of events.
    func paths(results: String?) -> ReportPaths {
        let given: [ReportPaths.Format: String?] = [
            .junit: junit, .tap: tap, .json: json, .summary: summary, .sarif: sarif, .codequality: codequality,
            .html: html, .statement: statement,
        ]
        return ReportPaths(results: results, documents: given.compactMapValues(\.self))
    }
}
