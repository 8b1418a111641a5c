// SPDX-License-Identifier: Apache-2.0
import CheckRunner
import Glibc
import LinuxNet

/// A file that does not exist yet.
enum NewFile {
    /// Writes the file, unless it exists.
    static func write(_ octets: [UInt8], to path: String) throws(CheckFailure) {
        do throws(SystemError) {
            let number = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            guard number >= 0 else { throw SystemError("open", Errno(errno), what: path) }
            try Descriptor(owning: number).write(octets, path: path)
        } catch {
            throw CheckFailure("\(error); nothing was changed", .usage)
        }
    }
}
