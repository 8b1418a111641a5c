// SPDX-License-Identifier: Apache-2.0
package import NAT64
package import Translation
import Wire

/// The counters and drops of a translator's life.
package struct TranslatorSummary: Sendable {
    package internal(set) var counters = Counters()
    /// Every dropped packet, those included that the links or the sockets lost.
    package internal(set) var drops = DropLog()

    /// `counters`, `drops` and `examples`, by their names.
    var json: JSONObject {
        var summary = JSONObject()
        add(to: &summary)
        return summary
    }

    func add(to summary: inout JSONObject) {
        var counts = JSONObject()
        for counter in counters.named { counts.add(counter.name, counter.count) }
        summary.add("counters", counts)
        var reasons = JSONObject()
        var examples = JSONObject()
        for entry in drops.entries {
            reasons.add(entry.reason.name, entry.count)
            examples.add(entry.reason.name, entry.example)
        }
        summary.add("drops", reasons)
        summary.add("examples", examples)
    }
}
