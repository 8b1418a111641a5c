import CheckRunner
import FoundationEssentials
import Glibc
import LinuxNet
import Reports
import Suites

/// The files that the results go to. They are opened before anything runs, so that a mistake shows at once, and `-` is standard
/// output.
///
/// A file that cannot be written any more (a full disk) does not end the suite: it is said at the end, with exit code 2, since a gate
/// that reads the file would see too little.
final class ReportFiles {
    /// One line an event, written as it happens.
    private var stream: Descriptor?
    private let streamPath: String?
    private var documents: [(option: String, path: String, format: Format)] = []
    /// What could not be written, a line each.
    private(set) var failures: [String] = []

    private enum Format {
        case junit, tap, json, summary
    }

    private static let standardOutput = "-"

    init(_ paths: ReportPaths) throws(CheckFailure) {
        let given: [(String, String?, Format?)] = [
            ("--results", paths.results, nil), ("--junit", paths.junit, .junit), ("--tap", paths.tap, .tap),
            ("--json", paths.json, .json), ("--summary", paths.summary, .summary),
        ]
        if given.count(where: { $0.1 == Self.standardOutput }) > 1 {
            throw CheckFailure("standard output (-) can take one report; name files for the others", .usage)
        }
        streamPath = paths.results
        do throws(SystemError) {
            if let path = paths.results {
                stream =
                    path == Self.standardOutput
                    ? Descriptor(owning: dup(STDOUT_FILENO)) : try Descriptor.create(path, flags: O_APPEND)
            }
            for case (let option, let path?, let format?) in given {
                // Whatever is wrong with the path shows here; it is opened again when there is something to write.
                if format == .summary, path != Self.standardOutput {
                    let number = unsafe open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o666)
                    guard number >= 0 else { throw SystemError("open", Errno(errno), what: path) }
                    _ = Descriptor(owning: number)
                } else if path != Self.standardOutput {
                    _ = try AtomicFile.open(path)
                }
                documents.append((option, path, format))
            }
        } catch {
            throw CheckFailure("\(error); give a file that can be written", .usage)
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

    /// The formats that are written whole.
    func write(_ results: SuiteResults, exitCode: Int32) {
        for (option, path, format) in documents {
            let contents: [UInt8]
            switch format {
            case .junit: contents = Array(JUnitReport.render(results).utf8)
            case .summary: contents = Array(MarkdownSummary.render(results).utf8)
            case .tap: contents = Array(TAPReport.render(results).utf8)
            case .json:
                do {
                    contents = try Array(SuiteJSONReport(results, exitCode: exitCode).encoded())
                } catch {
                    preconditionFailure("results hold nothing that JSON cannot: \(error)")
                }
            }
            do throws(SystemError) {
                if path == Self.standardOutput {
                    try Descriptor.writeAll(contents, to: STDOUT_FILENO)
                } else if format == .summary {
                    // Other steps of the job have theirs in it.
                    let file = try Descriptor.open(path, flags: O_WRONLY | O_APPEND)
                    try file.write(contents)
                } else {
                    try AtomicFile.open(path).commit(contents)
                }
            } catch {
                failures.append("\(option) \(path): \(error.errno)")
            }
        }
    }
}
