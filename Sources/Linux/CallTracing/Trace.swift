// SPDX-License-Identifier: Apache-2.0
package import Evidence

/// What following a client brought.
package struct Trace: Sendable {
    package var evidence = CallEvidence()
    /// Of each call of the evidence, where its stack is in `snapshots`; `nil` if it has none, or frames already.
    package var stacks: [Int?] = []
    package var snapshots = StackSnapshots()
    /// The environments of the programs of the evidence, as /proc/PID/environ has them (`NAME=VALUE`, each ended by a NUL); empty if
    /// not known.
    package var environments: [[UInt8]] = []

    package init() {}
}
