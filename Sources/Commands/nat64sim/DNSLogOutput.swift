import DNS64
import Evidence
import FoundationEssentials
import Glibc
import LinuxNet
import Reports
import Simulator
import Wire

/// `--dns-log FILE`: a line a query, as they come; `-` is the standard output. A file begins anew with each run.
struct DNSLogOutput: Sendable {
    private let descriptor: Int32
    /// The time of day at which the monotonic clock began.
    private let origin: Date

    init(_ path: String) throws(CommandFailure) {
        if path == "-" {
            descriptor = STDOUT_FILENO
        } else {
            // To append, for those who empty a log that grows while it is written.
            descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else {
                throw CommandFailure(
                    description: "--dns-log \(path): \(unsafe String(cString: strerror(errno)))", status: .usage)
            }
        }
        origin = Date().addingTimeInterval(-((MonotonicClock.now() - .zero) / .seconds(1)))
    }

    /// Lines, each whole; a reader that has gone away is no reason to stop serving.
    @Sendable func write(_ excerpt: QueryLog.Excerpt) {
        var text = excerpt.lost > 0 ? "(\(excerpt.lost) queries are not kept)\n" : ""
        for record in excerpt.records {
            let date = origin.addingTimeInterval((record.time - .zero) / .seconds(1))
            text += DNSLogText.line(DNSQuery(record, since: .zero), at: date) + "\n"
        }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }
}
