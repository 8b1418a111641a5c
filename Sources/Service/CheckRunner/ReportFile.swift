// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
import FoundationEssentials
import Glibc
import LinuxNet
import Reports

/// The file of a report, from an option such as `--json`. It is opened before the client runs, so that a mistake shows at once.
package struct ReportFile: ~Copyable {
    /// The path that means standard output, as with curl and others.
    package static let standardOutput = "-"

    /// Its name in errors.
    private let name: String
    /// `nil` is standard output.
    private let file: AtomicFile?

    /// `nil` without a path.
    package static func prepared(_ path: String?, option: String) throws(CheckFailure) -> ReportFile? {
        guard let path else { return nil }
        let name = "\(option) \(path)"
        if path == standardOutput {
            try checkStandardOutput(for: name)
            return ReportFile(name: name, file: nil)
        }
        do throws(SystemError) {
            return ReportFile(name: name, file: try AtomicFile.open(path))
        } catch {
            throw failure(name, error)
        }
    }

    /// Refuses a standard output that was closed when this process was started.
    /// - Parameter name: the option and its value.
    package static func checkStandardOutput(for name: String) throws(CheckFailure) {
        if StandardOutput.isClosed {
            throw CheckFailure("\(name): standard output is closed; give a file", .usage)
        }
    }

    private init(name: String, file: consuming AtomicFile?) {
        self.name = name
        self.file = file
    }

    /// - Parameter contents: throws only errors of JSON.
    package consuming func write(_ contents: () throws -> [UInt8]) throws(CheckFailure) {
        let written: [UInt8]
        do {
            written = try contents()
        } catch {
            preconditionFailure("a report holds nothing that JSON cannot: \(error)")
        }
        try write(written)
    }

    consuming func write(_ contents: [UInt8]) throws(CheckFailure) {
        let name = self.name
        do throws(SystemError) {
            switch consume file {
            case .some(let file): try file.commit(contents)
            case nil: try Descriptor.writeAll(contents, to: STDOUT_FILENO)
            }
        } catch {
            throw Self.failure(name, error)
        }
    }

    private static func failure(_ name: String, _ error: SystemError) -> CheckFailure {
        CheckFailure("\(name): \(error.errno); give a file that can be written", .usage)
    }
}
