import Diagnosis
import Evidence
import FoundationEssentials
import Glibc
import LinuxNet
import Reports

/// Where the report of `--json` goes. It is opened before the client runs, so that a mistake shows at once.
struct ReportFile: ~Copyable {
    /// The path that stands for standard output, as with curl and others.
    static let standardOutput = "-"

    private let path: String
    /// Nil is standard output.
    private let file: AtomicFile?

    /// Nil without a path.
    static func prepared(_ path: String?) throws(CheckFailure) -> ReportFile? {
        guard let path else { return nil }
        if path == standardOutput { return ReportFile(path: path, file: nil) }
        do throws(SystemError) {
            return ReportFile(path: path, file: try AtomicFile.open(path))
        } catch {
            throw failure(path, error)
        }
    }

    private init(path: String, file: consuming AtomicFile?) {
        self.path = path
        self.file = file
    }

    consuming func write(_ report: RunReport) throws(CheckFailure) {
        let contents: [UInt8]
        do {
            contents = try Array(JSONReport(report, exitCode: report.verdict.judgement.exitCode.rawValue).encoded())
        } catch {
            preconditionFailure("a report holds nothing that JSON cannot: \(error)")
        }
        let path = self.path
        do throws(SystemError) {
            switch consume file {
            case .some(let file): try file.commit(contents)
            case nil: try Descriptor.writeAll(contents, to: STDOUT_FILENO)
            }
        } catch {
            throw Self.failure(path, error)
        }
    }

    private static func failure(_ path: String, _ error: SystemError) -> CheckFailure {
        CheckFailure("--json \(path): \(error.errno); give a file that can be written", .usage)
    }
}
