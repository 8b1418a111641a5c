// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A run of an ordinary user, where root measures: this executable, started again by setpriv, so that what setpriv takes is not measured.
///
///     Bench --run COMMAND …      says its processor time, its time by the clock and its memory, as a `RunCost` has them
enum UserRun {
    static let flag = "--run"
    /// Debian's nobody.
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
