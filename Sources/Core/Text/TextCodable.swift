// SPDX-License-Identifier: Apache-2.0
/// A value whose JSON is the text that a user writes: `init` reads it, and `description` is it.
package protocol TextCodable: Codable, CustomStringConvertible {
    /// - Throws: why the text is no such value, in a sentence for its author.
    init(_ text: String) throws
}

extension TextCodable {
    package init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
