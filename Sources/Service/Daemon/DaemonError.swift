// SPDX-License-Identifier: Apache-2.0
/// The reason why the daemon cannot run. The description says what to do.
package struct DaemonError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Turns an error of the layers below into one of the daemon.
    static func wrapping<Value: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Value
    ) throws(DaemonError) -> Value {
        do throws(Failure) {
            return try body()
        } catch {
            throw DaemonError("\(error)")
        }
    }
}
