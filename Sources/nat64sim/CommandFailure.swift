import Findings

/// Why a command cannot do what was asked, in a line.
struct CommandFailure: Error, CustomStringConvertible {
    var description: String
    var status: Findings.ExitCode
}
