// SPDX-License-Identifier: Apache-2.0
/// The counts of a replay.
package struct ReplaySummary: Sendable {
    /// Packets of the input.
    package internal(set) var packets = 0
    /// Packets of the input that the translator had made itself.
    package internal(set) var skipped = 0
    /// Packets of the output.
    package internal(set) var outputs = 0
    package internal(set) var translator = TranslatorSummary()

    var line: JSONObject {
        var summary = JSONObject()
        summary.add("packets", packets)
        summary.add("skipped", skipped)
        summary.add("outputs", outputs)
        translator.add(to: &summary)
        var line = JSONObject()
        line.add("summary", summary)
        return line
    }
}
