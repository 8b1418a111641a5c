// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Sandbox
import Simulator

/// Why there is no verdict: a line that says what is wrong and what to do, and the exit code.
package struct CheckFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String
    package var exitCode: ExitCode

    package init(_ description: String, _ exitCode: ExitCode) {
        self.description = description
        self.exitCode = exitCode
    }
}

extension CheckFailure {
    /// Whatever the layers below cannot do, this machine cannot.
    static func wrapping<Value: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Value
    ) throws(CheckFailure) -> Value {
        do throws(Failure) {
            return try body()
        } catch {
            throw CheckFailure("\(error)", .machineCannot)
        }
    }

    /// The same for a body that takes a value over.
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
