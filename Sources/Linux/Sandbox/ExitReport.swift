// SPDX-License-Identifier: Apache-2.0
internal import CLinux
package import LinuxNet

/// How a client ended, and the resources that it used.
package struct ExitReport: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        case exited(code: Int32)
        case signaled(number: Int32, coreDumped: Bool)
        /// The kernel refused to execute it.
        case notExecuted(Errno)
        /// The keeper was killed, and the client with it.
        case lost
    }

    /// The resources of the client and of those of its children that it waited for.
    package struct Usage: Hashable, Sendable {
        package var userTime = Duration.zero
        package var systemTime = Duration.zero
        /// The largest resident set of any of them, in octets.
        package var largestResidentSize: Int64 = 0
    }

    package let outcome: Outcome
    package let usage: Usage

    init(_ outcome: Outcome, usage: Usage = Usage()) {
        self.outcome = outcome
        self.usage = usage
    }

    init(_ message: clinux_message) {
        usage = Usage(
            userTime: .microseconds(message.user_microseconds), systemTime: .microseconds(message.system_microseconds),
            largestResidentSize: message.resident_kilobytes &* 1024)
        // The layout of a wait status: the low seven bits are the signal, the eighth means that there is a core, and the exit code is above
        // them.
        let status = message.value
        let signal = status & 0x7f
        outcome =
            signal == 0
            ? .exited(code: status >> 8 & 0xff) : .signaled(number: signal, coreDumped: status & 0x80 != 0)
    }
}
