// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Waits for something that another process does, a minute at most: on a busy machine that may be needed for what takes milliseconds.
/// - Returns: whether it has come true.
package func comesTrue(_ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
        if try condition() { return true }
        if ContinuousClock.now > deadline { return false }
        usleep(20_000)
    }
}
