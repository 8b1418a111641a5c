import Findings
import FoundationEssentials
import Glibc
import Reports

/// The file of `--json`: written whole or not at all.
struct ReportFile {
    private let path: String

    /// Nil without a path. Looks whether the file can be written, before the client runs.
    static func prepared(_ path: String?) throws(CheckFailure) -> ReportFile? {
        guard let path else { return nil }
        return try ReportFile(path)
    }

    private init(_ path: String) throws(CheckFailure) {
        self.path = path
        let isNew = unsafe access(path, F_OK) != 0
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw Self.failure(path, errno) }
        Glibc.close(descriptor)
        if isNew { unsafe unlink(path) }
    }

    func write(_ report: RunReport) throws(CheckFailure) {
        let contents: Data
        do {
            contents = try JSONReport(report).encoded()
        } catch {
            throw CheckFailure("--json: the report cannot be encoded: \(error)", .usage)
        }
        var status = stat()
        if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            // A pipe or a device takes what it gets.
            try write(contents, to: path)
            return
        }
        let partial = path + ".partial"
        do throws(CheckFailure) {
            try write(contents, to: partial)
        } catch {
            unsafe unlink(partial)
            throw error
        }
        guard unsafe rename(partial, path) == 0 else {
            let reason = errno
            unsafe unlink(partial)
            throw Self.failure(path, reason)
        }
    }

    private func write(_ contents: Data, to target: String) throws(CheckFailure) {
        let descriptor = unsafe open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw Self.failure(path, errno) }
        defer { Glibc.close(descriptor) }
        var rest = Array(contents)[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { throw Self.failure(path, errno) }
            rest = rest.dropFirst(written)
        }
    }

    private static func failure(_ path: String, _ reason: Int32) -> CheckFailure {
        let text = unsafe String(cString: strerror(reason))
        return CheckFailure("--json \(path): \(text); give a file that can be written", .usage)
    }
}
