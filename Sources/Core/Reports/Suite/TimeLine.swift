// SPDX-License-Identifier: Apache-2.0
import DNS64
import Evidence
import Suites
import Text
import Wire

/// Rows that results keep: a client that asks without end does not make them long.
private let rowLimit = 100

/// What a run did, as far as it is kept, by the times: its queries, its flows, and if it was traced its programs and calls.
func timeLine(_ run: RunEvidence) -> [CaseResult.Step] {
    let queries = run.seen.queries.queries.map {
        CaseResult.Step(at: milliseconds($0.time - .zero), kind: "dns", text: printable(DNSLogText.line($0)))
    }
    let names = run.names
    let flows = run.seen.flows.map {
        CaseResult.Step(
            at: $0.times.map { milliseconds($0.first) }, kind: "flow",
            text: printable(phrase($0, name: names[$0]?.withoutFinalDot)))
    }
    let steps =
        limited(queries, kind: "dns", more: run.seen.queries.omitted) + (run.calls.map(steps) ?? [])
        + limited(flows, kind: "flow")
    // What has no time goes to the end.
    return steps.enumerated().sorted {
        ($0.element.at ?? .infinity, $0.offset) < ($1.element.at ?? .infinity, $1.offset)
    }
    .map(\.element)
}

/// Programs that began, and the calls that tell something or have a line.
private func steps(_ evidence: CallEvidence) -> [CaseResult.Step] {
    let programs = evidence.programs.map { program in
        CaseResult.Step(
            at: milliseconds(program.start), kind: "process",
            text: printable("process \(program.process): \(abbreviated(program.arguments))"))
    }
    let calls = evidence.own.filter { $0.isTelling || $0.isAttempt }.map { call in
        let place = call.frames.own.map { " in \(phrase($0))" } ?? ""
        let origin = call.origin.map { ", from \(phrase($0))" } ?? ""
        return CaseResult.Step(
            at: milliseconds(call.time), kind: "call", text: printable("\(phrase(call))\(place)\(origin)"))
    }
    return limited(programs, kind: "process") + limited(calls, kind: "call", more: evidence.lost)
}

private func limited(_ steps: [CaseResult.Step], kind: String, more: Int = 0) -> [CaseResult.Step] {
    let hidden = max(0, steps.count - rowLimit) + more
    let shown = Array(steps.prefix(rowLimit))
    return hidden == 0 ? shown : shown + [CaseResult.Step(at: nil, kind: kind, text: "and \(hidden) more")]
}
