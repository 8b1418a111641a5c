import Wire

/// What a rule looks at: the run that is judged, and what it is compared with.
struct Examination: Sendable {
    var run: RunEvidence
    /// The same client on dual-stack.
    var control: RunEvidence?
    /// Whether a rule before has explained the run.
    var isExplained = false
}

/// `tcp 80`, `icmp`
func endpoint(_ flow: Flow) -> String {
    flow.transport == .icmp ? "icmp" : "\(flow.transport.rawValue) \(flow.port)"
}

/// The elements in the order of their first appearance.
func unique<Element: Hashable>(_ elements: [Element]) -> [Element] {
    var seen: Set<Element> = []
    return elements.filter { seen.insert($0).inserted }
}
