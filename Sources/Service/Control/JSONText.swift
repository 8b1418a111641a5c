// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
import Text

/// The JSON of the control API, on the server and in the client, of nat64sim's `--json` and of the gateway's report file: keys in
/// alphabetical order, times in UTC as in `time(_:)`.
package enum JSONText {
    package enum Layout: Sendable {
        /// For people.
        case indented
        /// One line per value.
        case line
    }

    /// The value as UTF-8 text with a newline at the end.
    package static func encode(_ value: some Encodable, _ layout: Layout = .indented) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if layout == .indented { encoder.outputFormatting.insert(.prettyPrinted) }
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(time(date))
        }
        return try [UInt8](encoder.encode(value)) + [UInt8(ascii: "\n")]
    }

    package static func decode<Value: Decodable>(_ type: Value.Type, from text: [UInt8]) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            try timeStyle.parse(decoder.singleValueContainer().decode(String.self))
        }
        return try decoder.decode(type, from: Data(text))
    }

    /// The time in UTC in the format of RFC 3339, rounded to milliseconds: `2026-11-21T22:34:39.123Z`.
    package static func time(_ date: Date) -> String {
        "\(TimeStamp(millisecondsSince1970: Int64((date.timeIntervalSince1970 * 1000).rounded())))"
    }

    private static let timeStyle = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
