import Findings

/// Why a command cannot do what was asked, in a line.
struct CommandFailure: Error, CustomStringConvertible {
    var description: String
    var code: Int32

    /// Of the commands that ask a running daemon: none answers, it refuses, or it is not ready.
    static let noSuccess: Int32 = 1

    init(description: String, status: Findings.ExitCode) {
        self.description = description
        code = status.rawValue
    }

    init(withoutSuccess description: String) {
        self.description = description
        code = Self.noSuccess
    }
}
