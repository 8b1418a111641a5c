// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The kernel's random numbers (getentropy), many with one call. `SystemRandomNumberGenerator` makes a call for each, and there are six
/// for a question to a forwarder.
///
/// A copy has the same numbers ahead of it, and so has a process that is forked: it belongs to one thread that does neither.
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
        // So many octets, 256, are what it gives at most, whole or not at all.
        let result = unsafe drawn.withUnsafeMutableBytes { target in
            unsafe getentropy(target.baseAddress, target.count)
        }
        precondition(result == 0, "getentropy: no random numbers")
    }
}
