// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A run as an ordinary user, if root measures: this executable, started again by setpriv, so that setpriv's own time is not measured.
///
///     Bench --run COMMAND …      prints its processor time, its elapsed time and its memory, as a `RunCost`
enum UserRun {
    static let flag = "--run"
    /// The user `nobody` of Debian.
    private static let number = 65_534

    static func cost(of command: [String]) throws(BenchFailure) -> RunCost {
        let user = ["setpriv", "--reuid", "\(number)", "--regid", "\(number)", "--clear-groups"]
        let said = try ChildProcess.run(user + [CommandLine.arguments[0], flag] + command)
        guard let cost = RunCost(said) else { throw BenchFailure("\(command.joined(separator: " ")): \(said)") }
        return cost
    }

    static func runIfAsked() {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.first == flag else { return }
        do throws(BenchFailure) {
            print(try RunCost(of: Array(words.dropFirst())))
        } catch {
            print(error)
            exit(1)
        }
        exit(0)
    }
}
