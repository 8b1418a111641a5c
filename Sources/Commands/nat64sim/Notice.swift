// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxNet
import Text

/// What the user is told beside the output: on the standard error stream.
enum Notice {
    /// A reader that has gone away is no reason to fail.
    static func show(_ text: String) {
        try? Descriptor.writeAll(Array((text + "\n").utf8), to: STDERR_FILENO)
    }

    /// One of a greeting: what it is about, and what is to be said.
    static func line(_ heading: String, _ text: String) -> String { "  \(heading.padded(to: 8)) \(text)" }
}

/// What the user asked for: on the standard output stream, at once.
enum Output {
    /// Ends the process quietly if its reader has gone, as `head` goes.
    static func show(_ octets: [UInt8]) {
        do throws(SystemError) {
            try Descriptor.writeAll(octets, to: STDOUT_FILENO)
        } catch {
            exit(ExitStatus.noSuccess.rawValue)
        }
    }

    static func show(_ text: String) { show(Array((text + "\n").utf8)) }
}
