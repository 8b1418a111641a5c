import ArgumentParser
import SuiteRunner

extension AnnotationChoice: ExpressibleByArgument {}

/// Where the results of a suite go; `-` is standard output.
struct ReportOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Write the results as JUnit XML.", valueName: "file"))
    var junit: String?

    @Option(help: ArgumentHelp("Write the results as TAP 14.", valueName: "file"))
    var tap: String?

    @Option(help: ArgumentHelp("Write the results as one JSON document.", valueName: "file"))
    var json: String?

    @Option(
        help: ArgumentHelp("Add the results to this file as Markdown, for GitHub's job summary.", valueName: "file"))
    var summary: String?

    @Option(help: "Show red cases at the lines of the suite file in GitHub: auto, always or never.")
    var annotations = AnnotationChoice.auto

    /// - Parameter results: the file of events.
    func paths(results: String?) -> ReportPaths {
        ReportPaths(results: results, junit: junit, tap: tap, json: json, summary: summary)
    }
}
