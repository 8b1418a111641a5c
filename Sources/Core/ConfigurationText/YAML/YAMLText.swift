// SPDX-License-Identifier: Apache-2.0
/// The text of a YAML file that a person wrote, and its name for error messages.
package struct YAMLText {
    package let name: String
    /// The subject of the file: "a world".
    private let kind: String
    private let octets: [UInt8]

    package static let maximumOctets = 1 << 20

    package init(_ octets: [UInt8], name: String, of kind: String) {
        // The byte order mark, which YAML allows at the start (YAML 1.2.2 §5.2).
        self.octets = octets.starts(with: [0xef, 0xbb, 0xbf]) ? Array(octets.dropFirst(3)) : octets
        self.name = name
        self.kind = kind
    }

    /// The root of its only document; `nil` if there is none.
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

/// Reads a file to its end, or until it has more octets than `maximum`. The caller that reads a configuration opens its files, and those
/// that these name; this module opens none.
package typealias FileReading = (_ path: String, _ maximum: Int) throws(YAMLFileError) -> [UInt8]
