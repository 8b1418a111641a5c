// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The kernel's random numbers (getentropy), many per call. `SystemRandomNumberGenerator` makes a call for each, and a query to a
/// forwarder needs six.
///
/// A copy returns the same numbers, and so does a forked process: use an instance in one thread only, which does neither.
package struct SystemRandomness: RandomNumberGenerator, Sendable {
    private static let words = 32

    private var drawn: [UInt64] = []

    package init() {}

    package mutating func next() -> UInt64 {
        if drawn.isEmpty { draw() }
        return drawn.removeLast()
    }

    private mutating func draw() {
        drawn = Array(repeating: 0, count: Self.words)
        // 256 octets are the most that getentropy returns; it fills the buffer entirely or fails.
        let result = unsafe drawn.withUnsafeMutableBytes { target in
            unsafe getentropy(target.baseAddress, target.count)
        }
        precondition(result == 0, "getentropy: no random numbers")
    }
}
