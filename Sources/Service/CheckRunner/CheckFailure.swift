// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Sandbox
import Simulator

/// The reason why there is no verdict: a line with the problem and its remedy, and the exit code.
package struct CheckFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String
    package var exitCode: ExitCode

    package init(_ description: String, _ exitCode: ExitCode) {
        self.description = description
        self.exitCode = exitCode
    }
}

extension CheckFailure {
    /// Turns any error of the layers below into a failure of this machine (`machineCannot`).
    static func wrapping<Value: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Value
    ) throws(CheckFailure) -> Value {
        do throws(Failure) {
            return try body()
        } catch {
            throw CheckFailure("\(error)", .machineCannot)
        }
    }

    /// The same for a body that consumes a value.
    static func wrapping<Taken: ~Copyable, Value: ~Copyable, Failure: Error>(
        _ taken: consuming Taken, _ body: (consuming Taken) throws(Failure) -> Value
    ) throws(CheckFailure) -> Value {
        do throws(Failure) {
            return try body(taken)
        } catch {
            throw CheckFailure("\(error)", .machineCannot)
        }
    }
}
