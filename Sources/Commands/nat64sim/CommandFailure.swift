// SPDX-License-Identifier: Apache-2.0
/// The exit codes of `nat64sim`.
enum ExitStatus: Int32 {
    /// A scenario does not hold; or no daemon answers, it refuses, or it is not ready.
    case noSuccess = 1
    /// Usage or configuration.
    case usage = 2
    case nothingToRun = 4
    /// This machine cannot make the network.
    case machineCannot = 5
}

/// The reason for a command's failure, in one line.
struct CommandFailure: Error, CustomStringConvertible {
    var description: String
    var status: ExitStatus
}
