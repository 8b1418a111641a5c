// SPDX-License-Identifier: Apache-2.0
extension SourceScan {
    /// Whether a text of a binary is the address of a destination.
    package static func isDestination(_ text: ArraySlice<UInt8>) -> Bool { destination(text) != nil }

    /// The addresses among the texts of a binary. No context shows their purpose, so they are reported only on request.
    package static func findings(inTexts texts: [[UInt8]]) -> [SourceFinding] {
        texts.compactMap { text in
            guard let quad = destination(text[...]) else { return nil }
            let address = String(decoding: text[quad.range], as: UTF8.self)
            return SourceFinding(
                rule: .literalAddress, certainty: .possible, line: 0, column: 0,
                text: "its read-only data has the IPv4 address \(address); give a host name")
        }
    }
}
