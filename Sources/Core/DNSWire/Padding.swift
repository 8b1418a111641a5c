// SPDX-License-Identifier: Apache-2.0
/// An option that says nothing, and hides how long a message is where its carrier hides the rest (RFC 7830 §3).
///
///     +---------+---------+------
///     | 12      | length  | zeros …
///     +---------+---------+------
private enum Padding {
    static let optionCode: UInt16 = 12
    static let headerLength = 4
}

extension Message {
    package var isPadded: Bool { edns?.options.contains { $0.code == Padding.optionCode } ?? false }

    /// The message's octets, as many as a multiple of `block`, or as a message may have. One without EDNS, or without room for the
    /// option, stays as it is.
    package func encoded(paddedToMultipleOf block: Int) -> [UInt8] {
        let plain = encoded()
        let least = plain.count + Padding.headerLength
        let length = min((least + block - 1) / block * block, StreamFraming.maximumMessageLength)
        guard edns != nil, length >= least else { return plain }
        var padded = self
        padded.edns?.options.append(
            EDNSOption(code: Padding.optionCode, data: Array(repeating: 0, count: length - least)))
        return padded.encoded()
    }
}
