// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// The textual encoding of DER (RFC 7468 §2).
package enum PEM {
    /// - Parameter label: `CERTIFICATE`, `PRIVATE KEY`.
    static func text(_ label: String, _ der: [UInt8]) -> String {
        let lines = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN \(label)-----\n\(lines)\n-----END \(label)-----\n"
    }

    /// The DER in a PEM text; `nil` if the text is not valid.
    static func octets(_ text: String) -> [UInt8]? {
        Data(base64Encoded: base64(text)).map { Array($0) }
    }

    /// The base64 between the first line and the last, as one line.
    package static func base64(_ text: String) -> String {
        var base64 = ""
        for line in text.split(separator: "\n") where !line.hasPrefix("-----") { base64 += String(line) }
        return base64
    }
}
