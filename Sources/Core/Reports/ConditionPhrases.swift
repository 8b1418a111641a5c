// SPDX-License-Identifier: Apache-2.0
import Evidence
import Text

/// `lte, loss=3%: to the client 12 of 40 packets late, 1 lost; from it 38 packets`.
func phrase(_ conditions: ConditionEvidence) -> String {
    "\(conditions.written.joined(separator: ", ")): to the client \(phrase(conditions.down)); from it \(phrase(conditions.up))"
}

private func phrase(_ counts: ConditionCounts) -> String {
    let parts = [
        (counts.late, "late"), (counts.lost, "lost"), (counts.queueFull, "lost in a full queue"),
        (counts.reordered, "reordered"), (counts.duplicated, "duplicated"), (counts.corrupted, "corrupted"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let packets = counted(counts.packets, "packet")
    return parts.isEmpty ? packets : "of \(packets) \(parts.joined(separator: ", "))"
}
