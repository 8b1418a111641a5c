// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import Wire

/// `shop.test AAAA → 64:ff9b::c633:640a  synthesised from 198.51.100.10`: a question and its answer.
func phrase(_ query: RepeatedQuery, _ style: TerminalStyle = TerminalStyle(isColoured: false)) -> String {
    var text = "\(query.question.name.withoutFinalDot) \(query.question.type) → "
    text += answer(to: query)
    if !query.first.synthesisedFrom.isEmpty {
        text += style.dim("  synthesised from \(list(query.first.synthesisedFrom))")
    }
    if let reason = query.first.reason { text += style.dim("  \(reason)") }
    for fault in query.first.faults { text += style.bad("  fault: \(fault)") }
    return text
}

private func answer(to query: RepeatedQuery) -> String {
    if query.answer.isEmpty { return emptyAnswer(query) }
    let wanted = query.question.type
    if wanted == .any || query.first.answer.contains(where: { $0.type == wanted }) { return list(query.answer) }
    // A chain of aliases whose end has no record of the wanted type.
    return "alias of \(list(query.answer)); no such record"
}

private func emptyAnswer(_ query: RepeatedQuery) -> String {
    switch query.first.responseCode {
    case .noError: "no such record"
    case let code?: code.description
    case nil: "no reply"
    }
}

private func list(_ values: [some CustomStringConvertible]) -> String {
    values.map(\.description).joined(separator: ", ")
}
