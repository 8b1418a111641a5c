// SPDX-License-Identifier: Apache-2.0
import Text
import Wire

/// A JSON object in one line, with its keys in the order in which they were added.
struct JSONObject {
    private var members: [String] = []

    var text: String { "{" + members.joined(separator: ",") + "}" }

    mutating func add(_ key: String, _ value: String) { add(key, raw: jsonString(value)) }
    mutating func add(_ key: String, _ value: Int) { add(key, raw: "\(value)") }
    mutating func add(_ key: String, _ value: UInt64) { add(key, raw: "\(value)") }
    mutating func add(_ key: String, _ value: Bool) { add(key, raw: "\(value)") }
    mutating func add(_ key: String, _ value: JSONObject) { add(key, raw: value.text) }
    mutating func add(_ key: String, array: [String]) { add(key, raw: "[" + array.joined(separator: ",") + "]") }

    /// All nine decimals, so that nothing is rounded here.
    mutating func add(_ key: String, seconds time: Instant) {
        let (seconds, nanoseconds) = max(0, time.nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
        let digits = "\(nanoseconds)"
        add(key, raw: "\(seconds)." + String(repeating: "0", count: 9 - digits.count) + digits)
    }

    private mutating func add(_ key: String, raw: String) { members.append(jsonString(key) + ":" + raw) }
}
