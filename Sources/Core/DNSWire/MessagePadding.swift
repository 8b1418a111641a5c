// SPDX-License-Identifier: Apache-2.0
/// An option without content that hides the length of a message on an encrypted transport (RFC 7830 §3).
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

    /// The message's octets, padded to a multiple of `block` or to the maximum of a message. One without EDNS, or without room for the
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
