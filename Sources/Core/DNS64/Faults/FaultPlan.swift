// SPDX-License-Identifier: Apache-2.0
import DNSWire

/// The number of queries that a fault could have affected, and that it did affect.
package struct FaultCount: Hashable, Sendable {
    package let fault: Fault
    /// Queries that match it, regardless of their number.
    package fileprivate(set) var met = 0
    /// Queries that it affected.
    package fileprivate(set) var happened = 0
}

/// Faults in order, and the number of queries that each has met. All faults that match a query affect it.
struct FaultPlan: Sendable {
    private(set) var counts: [FaultCount] = []

    init(_ faults: [Fault]) {
        replace(with: faults)
    }

    /// Replaces the faults. Those that stay keep their counts.
    mutating func replace(with faults: [Fault]) {
        var earlier = counts
        counts = faults.map { fault in
            guard let index = earlier.firstIndex(where: { $0.fault == fault }) else { return FaultCount(fault: fault) }
            return earlier.remove(at: index)
        }
    }

    /// Counts a query, and returns the effects on it.
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
