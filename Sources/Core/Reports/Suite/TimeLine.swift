import DNS64
import Evidence
import Suites
import Text
import Wire

/// Rows that results keep: a client that asks without end does not make them long.
private let rowLimit = 100

/// What a run sent, as far as it is kept: its queries with their times, then its flows in the order of their first packets.
func timeLine(_ run: RunEvidence) -> [CaseResult.Step] {
    let queries = run.seen.queries.queries.map {
        CaseResult.Step(at: milliseconds($0.time - .zero), kind: "dns", text: printable(DNSLogText.line($0)))
    }
    let names = run.names
    let flows = run.seen.flows.map {
        CaseResult.Step(at: nil, kind: "flow", text: printable(phrase($0, name: names[$0]?.withoutFinalDot)))
    }
    return limited(queries, kind: "dns", more: run.seen.queries.omitted) + limited(flows, kind: "flow")
}

private func limited(_ steps: [CaseResult.Step], kind: String, more: Int = 0) -> [CaseResult.Step] {
    let hidden = max(0, steps.count - rowLimit) + more
    let shown = Array(steps.prefix(rowLimit))
    return hidden == 0 ? shown : shown + [CaseResult.Step(at: nil, kind: kind, text: "and \(hidden) more")]
}
