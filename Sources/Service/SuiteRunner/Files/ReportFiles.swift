// SPDX-License-Identifier: Apache-2.0
import CheckRunner
import FoundationEssentials
import Glibc
import LinuxNet
import Reports
import RulePages
import Sandbox
import Suites

/// The files for the results. They are opened before anything runs, so that a mistake shows at once; `-` is standard output.
///
/// A failed write (a full disk) does not end the suite: it is reported at the end, with exit code 2, since a gate that reads the file would
/// see too little. GitHub's job summary is written without a request, so its failure is only a warning.
final class ReportFiles {
    /// One line an event, written as it happens.
    private var stream: Descriptor?
    private let streamPath: String?
    private let documents: [(format: ReportPaths.Format, path: String)]
    /// The file of GitHub's job summary; `nil` outside of GitHub Actions, or if `--summary` names a file.
    private let jobSummary: String?
    /// Failed writes, a line each.
    private(set) var failures: [String] = []
    /// Failures that do not change the exit code, a line each.
    private(set) var warnings: [String] = []

    private static let standardOutput = "-"

    init(_ paths: ReportPaths, _ environment: Environment) throws(CheckFailure) {
        documents = ReportPaths.Format.allCases.compactMap { format in paths.documents[format].map { (format, $0) } }
        streamPath = paths.results
        let summary = environment["GITHUB_STEP_SUMMARY"]?.description ?? ""
        jobSummary = summary.isEmpty || paths.documents[.summary] != nil ? nil : summary
        try Self.checkDistinct(
            (paths.results.map { [("--results", $0)] } ?? []) + documents.map { ("--\($0.format)", $0.path) })
        let toOutput =
            (streamPath == Self.standardOutput ? ["results"] : [])
            + documents.filter { $0.path == Self.standardOutput }.map { "\($0.format)" }
        for format in toOutput { try ReportFile.checkStandardOutput(for: "--\(format) -") }
        if let path = paths.results {
            stream = path == Self.standardOutput ? Descriptor(owning: dup(STDOUT_FILENO)) : try ResultsFile.create(path)
        }
        // Errors in a path show here; the file is opened again to be written.
        for (format, path) in documents where path != Self.standardOutput {
            do throws(SystemError) {
                if format == .summary {
                    _ = try Descriptor.open(path, flags: O_WRONLY | O_APPEND | O_CREAT, mode: 0o666)
                } else {
                    _ = try AtomicFile.open(path)
                }
            } catch {
                throw CheckFailure("\(error); give a file that can be written", .usage)
            }
        }
    }

    /// Refuses paths that are given twice, as one report would overwrite the other.
    private static func checkDistinct(_ given: [(option: String, path: String)]) throws(CheckFailure) {
        var options: [String: String] = [:]
        for (option, path) in given where !path.hasPrefix("/dev/") {
            guard let other = options.updateValue(option, forKey: path) else { continue }
            throw CheckFailure(
                path == standardOutput
                    ? "standard output (-) can take one report; name files for the others"
                    : "\(other) and \(option) both name \(path); give each its own file", .usage)
        }
    }

    func write(_ event: ResultEvent) {
        guard let number = streamNumber else { return }
        do throws(SystemError) {
            try Descriptor.writeAll(ResultLines.encoded(event), to: number)
        } catch {
            failures.append("--results \(streamPath ?? ""): \(error.errno); what follows is not in it")
            stream = nil
        }
    }

    private var streamNumber: Int32? {
        switch stream {
        case .some(let stream): stream.number
        case nil: nil
        }
    }

    /// Writes the formats that are written as a whole.
    /// - Parameter file: the suite file's path in the repository.
    func write(_ results: SuiteResults, exitCode: Int32, file: String, _ environment: Environment) {
        for (format, path) in documents {
            let contents = Self.contents(format, of: path, results, exitCode: exitCode, file: file, environment)
            do throws(SystemError) {
                if path == Self.standardOutput {
                    try Descriptor.writeAll(contents, to: STDOUT_FILENO)
                } else if format == .summary {
                    try Self.append(contents, to: path)
                } else {
                    try AtomicFile.open(path).commit(contents)
                }
            } catch {
                failures.append("--\(format) \(path): \(error.errno)")
            }
        }
        guard let jobSummary else { return }
        do throws(SystemError) {
            try Self.append(Array(MarkdownSummary.render(results).utf8), to: jobSummary)
        } catch {
            warnings.append("warning: no job summary: GITHUB_STEP_SUMMARY \(jobSummary): \(error.errno)")
        }
    }

    /// Appends, as the file also has the summaries of the job's other steps.
    private static func append(_ contents: [UInt8], to path: String) throws(SystemError) {
        try Descriptor.open(path, flags: O_WRONLY | O_APPEND | O_CREAT, mode: 0o666).write(contents, path: path)
    }

    private static func contents(
        _ format: ReportPaths.Format, of path: String, _ results: SuiteResults, exitCode: Int32, file: String,
        _ environment: Environment
    ) -> [UInt8] {
        let pages = environment["IPV6CHECK_PAGES"]?.description
        let digest = { (text: String) in hexadecimal(Array(text.utf8)) }
        do {
            switch format {
            case .junit: return Array(JUnitReport.render(results).utf8)
            case .summary: return Array(MarkdownSummary.render(results).utf8)
            case .tap: return Array(TAPReport.render(results).utf8)
            case .html: return Array(HTMLReport.render(results, pages: { RulePage.find($0)?.text }).utf8)
            case .statement: return try Array(ConformanceStatement(results).encoded(as: .init(path: path)).utf8)
            case .json: return try Array(SuiteJSONReport(results, exitCode: exitCode).encoded())
            case .codequality:
                return try Array(CodeQualityReport.encoded(results, file: file, pages: pages, digest: digest))
            case .sarif:
                return try Array(
                    SARIFReport(results, exitCode: exitCode, file: file, pages: pages, digest: digest).encoded())
            }
        } catch {
            preconditionFailure("results hold nothing that JSON cannot: \(error)")
        }
    }
}
