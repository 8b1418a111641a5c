/// What a replay comes to.
public struct ReplaySummary: Sendable {
    /// Packets of the input.
    public internal(set) var packets = 0
    /// Those among them that the translator had made itself.
    public internal(set) var skipped = 0
    /// Packets of the output.
    public internal(set) var outputs = 0
    public internal(set) var gateway = GatewaySummary()

    var line: JSONObject {
        var summary = JSONObject()
        summary.add("packets", packets)
        summary.add("skipped", skipped)
        summary.add("outputs", outputs)
        gateway.add(to: &summary)
        var line = JSONObject()
        line.add("summary", summary)
        return line
    }
}
