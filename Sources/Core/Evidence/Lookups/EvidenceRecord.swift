// SPDX-License-Identifier: Apache-2.0
/// One record of the preloaded library's evidence, read from the line that CSynthesis's `record.h` specifies.
package struct EvidenceRecord: Equatable, Sendable {
    package enum ParseError: Error, Equatable {
        case notARecord
        case missing(String)
        case malformed(String)
    }

    /// The `call` of a record about the start of a program, by any function.
    package static let execution = "execve"

    /// The `call` of a record about a connection to a Unix socket.
    package static let localConnection = "connect_unix"

    /// The `call` of a record about a question for the machine's addresses.
    package static let interfaces = "getifaddrs"

    package var call: String
    package var pid: Int
    package var tid: Int
    package var program: String?
    package var module: String?
    package var offset: Int?
    package var frames: [StackFrame]
    package var node: String?
    package var service: String?
    package var hints: LookupHints?
    package var result: Int
    package var answers: [String]
    package var count: Int
    package var profile: String?
    package var why: String?
    package var synthesised: Int?
    package var isCut: Bool
    package var lost: Int

    /// Reads a datagram. Unknown keys are skipped; no field is trusted to be right.
    package init(_ datagram: [UInt8]) throws(ParseError) {
        let words = datagram.split(separator: UInt8(ascii: " "))
        guard let first = words.first, first.elementsEqual("ipv6synth/1".utf8) else { throw .notARecord }
        var fields: [String: ArraySlice<UInt8>] = [:]
        for word in words.dropFirst() {
            guard let equals = word.firstIndex(of: UInt8(ascii: "=")) else { throw .notARecord }
            fields[String(decoding: word[..<equals], as: UTF8.self)] = word[(equals + 1)...]
        }
        call = try Self.text("call", in: fields) ?? ""
        if call.isEmpty { throw .missing("call") }
        pid = try Self.required("pid", in: fields)
        tid = try Self.required("tid", in: fields)
        program = try Self.text("program", in: fields)
        module = try Self.text("module", in: fields)
        offset = try Self.number("offset", in: fields)
        frames = try Self.text("frames", in: fields).map { [StackFrame](announced: $0[...]) } ?? []
        node = try Self.text("node", in: fields)
        service = try Self.text("service", in: fields)
        if let family = try Self.number("family", in: fields) {
            // gethostbyname2 has a family and no other hint.
            hints = LookupHints(
                family: family, socktype: try Self.number("socktype", in: fields) ?? 0,
                protocol: try Self.number("protocol", in: fields) ?? 0, flags: try Self.number("flags", in: fields) ?? 0
            )
        }
        result = try Self.required("result", in: fields)
        answers = try Self.text("answers", in: fields).map { $0.split(separator: ",").map(String.init) } ?? []
        count = try Self.required("count", in: fields)
        profile = try Self.text("profile", in: fields)
        why = try Self.text("why", in: fields)
        synthesised = try Self.number("synthesised", in: fields)
        isCut = try Self.number("cut", in: fields) == 1
        lost = try Self.required("lost", in: fields)
    }

    private typealias Fields = [String: ArraySlice<UInt8>]

    /// A value with its escapes undone.
    private static func text(_ key: String, in fields: Fields) throws(ParseError) -> String? {
        guard var rest = fields[key] else { return nil }
        var octets: [UInt8] = []
        while let octet = rest.popFirst() {
            guard octet == UInt8(ascii: "%") else {
                octets.append(octet)
                continue
            }
            guard let high = rest.popFirst(), let low = rest.popFirst(),
                let value = UInt8(String(decoding: [high, low], as: UTF8.self), radix: 16)
            else { throw .malformed(key) }
            octets.append(value)
        }
        return String(decoding: octets, as: UTF8.self)
    }

    /// Decimal, or hexadecimal after 0x.
    private static func number(_ key: String, in fields: Fields) throws(ParseError) -> Int? {
        guard let text = try text(key, in: fields) else { return nil }
        let number = text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
        guard let number else { throw .malformed(key) }
        return number
    }

    private static func required(_ key: String, in fields: Fields) throws(ParseError) -> Int {
        guard let number = try number(key, in: fields) else { throw .missing(key) }
        return number
    }
}
