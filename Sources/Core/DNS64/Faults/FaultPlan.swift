// SPDX-License-Identifier: Apache-2.0
import DNSWire

/// How often a fault could have happened, and did.
package struct FaultCount: Hashable, Sendable {
    package let fault: Fault
    /// Queries that fit it but for their number.
    package fileprivate(set) var met = 0
    /// Queries to which it happened.
    package fileprivate(set) var happened = 0
}

/// Faults in order, and how many queries each has met. All that fit a query happen to it.
struct FaultPlan: Sendable {
    private(set) var counts: [FaultCount] = []

    init(_ faults: [Fault]) {
        replace(with: faults)
    }

    /// The faults that stay go on counting where they are.
    mutating func replace(with faults: [Fault]) {
        var earlier = counts
        counts = faults.map { fault in
            guard let index = earlier.firstIndex(where: { $0.fault == fault }) else { return FaultCount(fault: fault) }
            return earlier.remove(at: index)
        }
    }

    /// What is to happen to this query, which is counted.
    mutating func effects(on question: Question, over transport: Transport) -> [Fault.Effect] {
        var effects: [Fault.Effect] = []
        for (index, count) in counts.enumerated() where count.fault.pattern.matches(question, over: transport) {
            counts[index].met += 1
            guard count.fault.pattern.numbers?.contains(count.met + 1) ?? true else { continue }
            counts[index].happened += 1
            effects.append(count.fault.effect)
        }
        return effects
    }
}
