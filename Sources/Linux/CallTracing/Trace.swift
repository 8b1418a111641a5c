package import Evidence

/// What following a client brought.
package struct Trace: Sendable {
    package var evidence = CallEvidence()
    /// Of each call of the evidence, where its stack is in `snapshots`; `nil` if it has none, or frames already.
    package var stacks: [Int?] = []
    package var snapshots = StackSnapshots()

    package init() {}
}
