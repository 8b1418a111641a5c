// SPDX-License-Identifier: Apache-2.0
// Domain names as text: RFC 1035 §5.1, with the escapes \X and \DDD in both directions (RFC 4343 §2.1).

/// Why a text or a list of labels is not a domain name.
public enum DomainNameError: Error, Equatable, Sendable {
    case empty
    case emptyLabel
    case labelTooLong(length: Int)
    case nameTooLong(length: Int)
    /// A backslash with nothing after it, or with digits that are not three or exceed 255.
    case badEscape
    case notASCII
}

extension DomainNameError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .empty: "a name cannot be empty (the root is \".\")"
        case .emptyLabel: "a label between two dots cannot be empty"
        case .labelTooLong(let length): "a label of \(length) octets is longer than \(DomainName.maximumLabelLength)"
        case .nameTooLong(let length):
            "a name of \(length) octets on the wire is longer than \(DomainName.maximumNameLength)"
        case .badEscape: "a backslash needs a character or three digits up to 255 behind it"
        case .notASCII: "a name is ASCII: write an internationalized label in its xn-- form, other octets as \\DDD"
        }
    }
}

extension DomainName {
    /// Reads presentation format. A final dot is optional: the name is absolute either way.
    public init(_ text: some StringProtocol) throws(DomainNameError) {
        self = try DomainName(presentation: Array(text.utf8)[...], origin: .root)
    }

    /// Reads presentation format; a name without a final dot is relative to `origin`, and `@` is `origin` itself.
    public init(_ text: some StringProtocol, origin: DomainName) throws(DomainNameError) {
        self = try DomainName(presentation: Array(text.utf8)[...], origin: origin)
    }

    init(presentation text: ArraySlice<UInt8>, origin: DomainName) throws(DomainNameError) {
        let dot = UInt8(ascii: ".")
        if text.isEmpty { throw .empty }
        if text.elementsEqual([dot]) {
            self = .root
            return
        }
        if text.elementsEqual([UInt8(ascii: "@")]) {
            self = origin
            return
        }

        var labels: [[UInt8]] = []
        var label: [UInt8] = []
        var isAbsolute = false
        var rest = text
        while let character = rest.first {
            isAbsolute = false
            if character == dot {
                rest = rest.dropFirst()
                if label.isEmpty { throw .emptyLabel }
                labels.append(label)
                label = []
                isAbsolute = true
            } else {
                label.append(try Self.takeOctet(from: &rest))
            }
        }
        if !isAbsolute { labels.append(label) }
        let suffix = isAbsolute ? DomainName.root : origin
        self = try DomainName(labels: labels + suffix.labels.map(Array.init))
    }

    /// Takes one octet of a label or a character-string: a plain character, \X or \DDD.
    static func takeOctet(from text: inout ArraySlice<UInt8>) throws(DomainNameError) -> UInt8 {
        guard let character = text.popFirst() else { throw .badEscape }
        guard character < 0x80 else { throw .notASCII }
        guard character == UInt8(ascii: "\\") else { return character }
        guard let escaped = text.first else { throw .badEscape }
        guard isDigit(escaped) else {
            text = text.dropFirst()
            return escaped
        }
        let digits = text.prefix(3)
        guard digits.count == 3, digits.allSatisfy(isDigit) else { throw .badEscape }
        let value = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        guard let octet = UInt8(exactly: value) else { throw .badEscape }
        text = text.dropFirst(3)
        return octet
    }

    private static func isDigit(_ character: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character)
    }
}

extension DomainName: CustomStringConvertible {
    /// The name in presentation format, with its final dot.
    public var description: String {
        if isRoot { return "." }
        var text: [UInt8] = []
        for label in labels {
            for octet in label { appendEscaped(octet, to: &text, special: Self.specialCharacters) }
            text.append(UInt8(ascii: "."))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Characters inside a name that have a meaning in a zone file.
    private static let specialCharacters = Array(#".\"();@$"#.utf8)
}

/// Appends an octet unchanged if it is printable and not special, otherwise with a backslash.
func appendEscaped(_ octet: UInt8, to text: inout [UInt8], special: [UInt8]) {
    let backslash = UInt8(ascii: "\\")
    if special.contains(octet) {
        text += [backslash, octet]
    } else if (0x21...0x7e).contains(octet) {
        text.append(octet)
    } else {
        text.append(backslash)
        let digits = [octet / 100, octet / 10 % 10, octet % 10]
        text += digits.map { UInt8(ascii: "0") + $0 }
    }
}
