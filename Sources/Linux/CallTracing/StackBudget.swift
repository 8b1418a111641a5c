// SPDX-License-Identifier: Apache-2.0
internal import Evidence

/// How many stacks are kept: each is up to 64 KiB, and a client calls as often as it likes.
struct StackBudget {
    /// How many were taken along at the beginning of a call, by what it is about.
    private var atBeginning: [TracedCall.Subject: Int] = [:]
    private var kept = 0
    /// Of calls to an address that were made before.
    private var repeated = 0

    private static let limit = 256
    /// They leave the others their room.
    private static let repeatedLimit = 64
    /// As many as there are entries of a call in the log.
    private static let limitAtBeginning = 8
    private static let subjectLimitAtBeginning = 64

    /// Whether a connection's stack is to be taken as it begins: it may never return, and then its thread's memory is gone.
    mutating func takesAtBeginning(_ subject: TracedCall.Subject) -> Bool {
        let known = atBeginning[subject]
        guard known ?? 0 < Self.limitAtBeginning, known != nil || atBeginning.count < Self.subjectLimitAtBeginning
        else {
            return false
        }
        atBeginning[subject, default: 0] += 1
        return true
    }

    /// Whether there is room for another one.
    /// - Parameter isRepeated: whether such a call to an address was made before.
    func hasRoom(isRepeated: Bool) -> Bool {
        isRepeated ? repeated < Self.repeatedLimit : kept - repeated < Self.limit
    }

    mutating func keep(isRepeated: Bool) {
        kept += 1
        if isRepeated { repeated += 1 }
    }
}
