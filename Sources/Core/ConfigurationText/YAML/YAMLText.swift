// SPDX-License-Identifier: Apache-2.0
/// The text of a YAML file that a person wrote, and what to call it where something is wrong with it.
package struct YAMLText {
    package let name: String
    /// The kind of the file: "a world".
    private let kind: String
    private let octets: [UInt8]

    package static let maximumOctets = 1 << 20

    package init(_ octets: [UInt8], name: String, of kind: String) {
        self.octets = octets
        self.name = name
        self.kind = kind
    }

    /// The root of its only document; `nil` if it holds none.
    package func root() throws(YAMLFileError) -> YAMLNode? {
        if octets.count > Self.maximumOctets {
            throw YAMLFileError(
                file: name, "the file is larger than \(Self.maximumOctets) octets, the most \(kind) may have")
        }
        let text: String
        do throws(UTF8.ValidationError) {
            text = String(copying: try UTF8Span(validating: octets.span))
        } catch {
            let position = SourcePosition(offset: error.byteOffsets.lowerBound, in: octets)
            throw YAMLFileError(file: name, "this is not UTF-8: save the file in that encoding", at: position)
        }
        return try YAMLComposer(text, file: name, of: kind).compose()
    }
}

/// Reads a file to its end, or far enough to show that it has more octets than `maximum`. The caller of a reader opens its files,
/// and those that these name; nothing in here does.
package typealias FileReading = (_ path: String, _ maximum: Int) throws(YAMLFileError) -> [UInt8]
