// SPDX-License-Identifier: Apache-2.0
/// Why there is no daemon. The description says what to do.
package struct DaemonError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Whatever the layers below cannot do, the daemon cannot.
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
