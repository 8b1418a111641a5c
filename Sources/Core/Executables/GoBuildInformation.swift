// SPDX-License-Identifier: Apache-2.0
/// The information that the Go linker stores in a program (`go version -m` shows it): the section `.go.buildinfo`.
///
///     0          14       15      16                  32
///     | magic    | width  | flags | (older formats)   | version | modules |     each a varint length and the text
package struct GoBuildInformation: Equatable, Sendable {
    /// `go1.24.1`; `nil` if the format is older than Go 1.18.
    package let version: String?
    /// Whether the program was built with cgo, and so can call the C library's getaddrinfo; `nil` if unknown.
    package let usesCgo: Bool?

    /// The number of octets read from the section; a program with many modules has more.
    package static let limit = 1 << 16

    private static let flagsOffset = 15
    private static let inlineFlag: UInt8 = 2
    private static let textOffset = 32

    package init(_ section: [UInt8]) {
        guard section.count > Self.textOffset, section[Self.flagsOffset] & Self.inlineFlag != 0 else {
            version = nil
            usesCgo = nil
            return
        }
        var rest = section[Self.textOffset...]
        version = Self.text(&rest)
        let settings = (Self.text(&rest) ?? "").split(separator: "\n")
        let cgo = settings.first { $0.hasPrefix("build\tCGO_ENABLED=") }
        usesCgo = cgo.map { $0.hasSuffix("=1") }
    }

    /// The next text, as far as it is present.
    private static func text(_ rest: inout ArraySlice<UInt8>) -> String? {
        var length: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            // A length has at most 63 bits.
            guard let octet = rest.popFirst(), shift < 63 else { return nil }
            length |= UInt64(octet & 0x7f) << shift
            if octet & 0x80 == 0 { break }
            shift += 7
        }
        let text = rest.prefix(Int(clamping: length))
        rest = rest.dropFirst(text.count)
        return String(decoding: text, as: UTF8.self)
    }
}
