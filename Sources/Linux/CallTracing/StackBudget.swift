// SPDX-License-Identifier: Apache-2.0
internal import Evidence

/// Limits the number of kept stacks: each is up to 64 KiB, and a client may make any number of calls.
struct StackBudget {
    /// Number of stacks that were taken at the beginning of a call, by the call's subject.
    private var atBeginning: [TracedCall.Subject: Int] = [:]
    private var kept = 0
    /// Number of stacks of repeated calls to an address.
    private var repeated = 0

    private static let limit = 256
    /// Leaves room for the others.
    private static let repeatedLimit = 64
    /// The number of entries of a call in the log.
    private static let limitAtBeginning = 8
    private static let subjectLimitAtBeginning = 64

    /// Whether a connection's stack is to be taken when it begins: it may never return, and then its thread's memory is gone.
    mutating func takesAtBeginning(_ subject: TracedCall.Subject) -> Bool {
        let known = atBeginning[subject]
        guard known ?? 0 < Self.limitAtBeginning, known != nil || atBeginning.count < Self.subjectLimitAtBeginning
        else {
            return false
        }
        atBeginning[subject, default: 0] += 1
        return true
    }

    /// Whether there is room for another stack.
    /// - Parameter isRepeated: whether such a call to an address was made before.
    func hasRoom(isRepeated: Bool) -> Bool {
        isRepeated ? repeated < Self.repeatedLimit : kept - repeated < Self.limit
    }

    mutating func keep(isRepeated: Bool) {
        kept += 1
        if isRepeated { repeated += 1 }
    }
}
