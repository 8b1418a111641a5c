// SPDX-License-Identifier: Apache-2.0
/// A string of JSON (RFC 8259 §7), quotes included.
package func jsonString(_ text: String) -> String {
    var string = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"", "\\": string += "\\\(scalar)"
        case "\u{0}"..<"\u{20}":
            let digits = String(scalar.value, radix: 16)
            string += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: string.unicodeScalars.append(scalar)
        }
    }
    return string + "\""
}
