// SPDX-License-Identifier: Apache-2.0
package import CheckRunner
import Glibc
import LinuxNet

/// The suite file that `ipv6check suite init` writes.
package enum FirstSuite {
    private static let text = """
        version: 1
        tests:
          - name: fetch
            command: [curl, -fsS, "http://shop.test/"]

        """

    /// Writes it, unless there is such a file.
    package static func write(to path: String) throws(CheckFailure) {
        do throws(SystemError) {
            let number = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            guard number >= 0 else { throw SystemError("open", Errno(errno), what: path) }
            try Descriptor(owning: number).write(Array((EditorSchema.line + text).utf8), path: path)
        } catch {
            throw CheckFailure("\(error); nothing was changed", .usage)
        }
    }
}
