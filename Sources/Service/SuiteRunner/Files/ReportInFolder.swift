// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxNet
import TestResults

/// The file in `$OUT` with a client's report of its tests.
enum ReportInFolder {
    /// - Returns: the file, or the rest of a sentence that begins with its name.
    static func open(_ path: String, in folder: String) -> Opened {
        do throws(SystemError) {
            // Neither a pipe, which may have no writer, nor a device.
            let file = try Descriptor.open("\(folder)/\(path)", flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
            guard file.isRegularFile else { return .problem("is no regular file") }
            var status = stat()
            guard unsafe fstat(file.number, &status) == 0, status.st_size <= ResultsFormat.sizeLimit else {
                return .problem("is larger than \(ResultsFormat.sizeLimit >> 20) MiB")
            }
            return .file(file)
        } catch {
            return .problem(
                error.errno == .ENOENT ? "was not written to $OUT" : "cannot be read: \(error.errno)")
        }
    }

    enum Opened: ~Copyable {
        case file(Descriptor)
        case problem(String)
    }
}
