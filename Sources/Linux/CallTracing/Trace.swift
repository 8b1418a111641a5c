// SPDX-License-Identifier: Apache-2.0
package import Evidence

/// The result of tracing a client.
package struct Trace: Sendable {
    package var evidence = CallEvidence()
    /// For each call of the evidence, the index of its stack in `snapshots`; `nil` if it has none, or already has frames.
    package var stacks: [Int?] = []
    /// The same for its ends.
    package var endStacks: [Int?] = []
    package var snapshots = StackSnapshots()
    /// The environments of the evidence's programs, as in /proc/PID/environ (`NAME=VALUE`, each ended by a NUL); empty if not known.
    package var environments: [[UInt8]] = []

    package init() {}
}
