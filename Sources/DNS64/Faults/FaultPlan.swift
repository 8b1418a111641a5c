import DNSWire

/// Faults in order, and how many queries each has met. All that fit a query happen to it.
struct FaultPlan: Sendable {
    let faults: [Fault]
    private var met: [Int]

    init(_ faults: [Fault]) {
        self.faults = faults
        met = Array(repeating: 0, count: faults.count)
    }

    /// What is to happen to this query, which is counted.
    mutating func effects(on question: Question, over transport: Transport) -> [Fault.Effect] {
        var effects: [Fault.Effect] = []
        for (index, fault) in faults.enumerated() where fault.pattern.matches(question, over: transport) {
            met[index] += 1
            if fault.pattern.numbers?.contains(met[index]) ?? true { effects.append(fault.effect) }
        }
        return effects
    }
}
