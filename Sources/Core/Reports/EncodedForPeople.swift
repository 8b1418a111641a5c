// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials

/// A report as JSON that people can read: UTF-8 text, indented, keys in alphabetical order, with a final newline.
package func encodedForPeople(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value) + Data([UInt8(ascii: "\n")])
}
