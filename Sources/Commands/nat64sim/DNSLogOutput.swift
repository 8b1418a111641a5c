// SPDX-License-Identifier: Apache-2.0
import DNS64
import Evidence
import Glibc
import LinuxNet
import Reports
import Simulator
import Text
import Wire

/// `--dns-log FILE`: a line a query, as they come; `-` is the standard output. A file begins anew with each run.
struct DNSLogOutput: Sendable {
    let descriptor: Int32
    private let clock = WallClock()

    init(_ path: String) throws(CommandFailure) {
        if path == "-" {
            descriptor = STDOUT_FILENO
            return
        }
        do throws(SystemError) {
            // To append, for those who empty a log that grows while it is written. It is open until the process ends.
            descriptor = try Descriptor.create(path, flags: O_APPEND, mode: 0o644).release()
        } catch {
            throw CommandFailure(description: "--dns-log \(path): \(error.errno)", status: .usage)
        }
    }

    /// Lines, each whole.
    @Sendable func text(of excerpt: QueryLog.Excerpt) -> String {
        var text = excerpt.lost > 0 ? "(\(counted(excerpt.lost, "query is", "queries are")) not kept)\n" : ""
        for record in excerpt.records {
            text += DNSLogText.line(record, at: TimeStamp(nanosecondsSince1970: clock.time(of: record.time))) + "\n"
        }
        return text
    }
}
