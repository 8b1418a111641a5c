import Translation

/// What a replay comes to.
public struct ReplaySummary: Sendable {
    /// Packets of the input.
    public internal(set) var packets = 0
    /// Those among them that the translator had made itself.
    public internal(set) var skipped = 0
    /// Packets of the output.
    public internal(set) var outputs = 0
    public internal(set) var counters = GatewayCounters()

    var line: JSONObject {
        var summary = JSONObject()
        summary.add("packets", packets)
        summary.add("skipped", skipped)
        summary.add("outputs", outputs)
        summary.add("counters", counters.json)
        summary.add("drops", counters.jsonDrops)
        var line = JSONObject()
        line.add("summary", summary)
        return line
    }
}

extension GatewayCounters {
    var json: JSONObject {
        var object = JSONObject()
        for (name, count) in named { object.add(name, count) }
        return object
    }

    var jsonDrops: JSONObject {
        var object = JSONObject()
        for (reason, count) in namedDrops { object.add(reason.name, count) }
        return object
    }
}
