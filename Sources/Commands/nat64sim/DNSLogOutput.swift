// SPDX-License-Identifier: Apache-2.0
import DNS64
import Evidence
import Glibc
import LinuxNet
import Reports
import Simulator
import Text
import Wire

/// `--dns-log FILE`: a line for each query, written at once; `-` is standard output. Each run truncates the file.
struct DNSLogOutput: Sendable {
    let descriptor: Int32
    private let clock = WallClock()

    init(_ path: String) throws(CommandFailure) {
        if path == "-" {
            descriptor = STDOUT_FILENO
            return
        }
        do throws(SystemError) {
            // Opened for appending, so that a user can truncate a growing log. It stays open until the process ends.
            descriptor = try Descriptor.create(path, flags: O_APPEND, mode: 0o644).release()
        } catch {
            throw CommandFailure(description: "--dns-log \(path): \(error.errno)", status: .usage)
        }
    }

    /// The lines of an excerpt, each with its newline.
    @Sendable func text(of excerpt: QueryLog.Excerpt) -> String {
        var text = excerpt.lost > 0 ? "(\(counted(excerpt.lost, "query is", "queries are")) not kept)\n" : ""
        for record in excerpt.records {
            text += DNSLogText.line(record, at: TimeStamp(nanosecondsSince1970: clock.time(of: record.time))) + "\n"
        }
        return text
    }
}
