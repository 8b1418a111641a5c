// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxNet
import Text

/// Messages to the user, on standard error.
enum Notice {
    /// Writes a message; a reader that has gone away is no reason to fail.
    static func show(_ text: String) {
        try? Descriptor.writeAll(Array((text + "\n").utf8), to: STDERR_FILENO)
    }

    /// A line of a greeting: its heading and its text.
    static func line(_ heading: String, _ text: String) -> String { "  \(heading.padded(to: 8)) \(text)" }
}

/// The output that the user asked for, on standard output, unbuffered.
enum Output {
    /// Ends the process quietly if the reader has gone, as `head` does.
    static func show(_ octets: [UInt8]) {
        do throws(SystemError) {
            try Descriptor.writeAll(octets, to: STDOUT_FILENO)
        } catch {
            exit(ExitStatus.noSuccess.rawValue)
        }
    }

    static func show(_ text: String) { show(Array((text + "\n").utf8)) }
}
