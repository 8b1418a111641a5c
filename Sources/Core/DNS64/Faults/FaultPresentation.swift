// SPDX-License-Identifier: Apache-2.0
package import DNSWire

// Faults as text, one per line: [NAME] [TYPE] [TRANSPORT] [NUMBERS] EFFECT [ARGUMENT]. A field that is left out, or is `any`, matches
// everything.
//
//     *.shop.test AAAA drop
//     shop.test udp 1-2 rcode SERVFAIL
//     A delay 300ms

/// The reason why a text is not a fault, and what is expected.
package enum FaultError: Error, Equatable, Sendable {
    case noEffect
    case badWord(String, expected: String)
    case badName(String, DomainNameError)
    case badData(PresentationError)
}

extension FaultError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noEffect:
            "a fault is [NAME] [TYPE] [udp|tcp] [NUMBERS] EFFECT, such as *.shop.test AAAA rcode SERVFAIL; effects are "
                + Fault.Effect.words
        case .badWord("", let expected): "the fault ends too early: expected \(expected)"
        case .badWord(let word, let expected): "\"\(word)\" does not belong into a fault: expected \(expected)"
        case .badName(let name, let error): "\"\(name)\" is no domain name: \(error)"
        case .badData(let error): "\(error)"
        }
    }
}

extension Fault {
    package init(presentation text: some StringProtocol) throws(FaultError) {
        let text = String(text)
        let parts = text.split(whereSeparator: { $0 == " " || $0 == "\t" })
        let words = parts.map { String($0) }
        guard let start = words.firstIndex(where: { Effect.names.contains($0) }) else {
            // In a longer text it is more likely a word of the pattern that is wrong, or the effect.
            guard words.count > 1 else { throw .noEffect }
            _ = try Pattern(words[...])
            throw .noEffect
        }
        // Data are taken verbatim: in a quoted text, and behind a backslash, every blank counts.
        let data = words.count > start + 1 ? text[parts[start + 1].endIndex...] : ""
        self.init(
            try Pattern(words[..<start]),
            try Effect(name: words[start], arguments: Array(words[(start + 1)...]), data: String(data)))
    }
}

extension Fault.Pattern {
    fileprivate init(_ words: ArraySlice<String>) throws(FaultError) {
        self.init()
        for (place, word) in words.enumerated() where word != "any" {
            if transport == nil, let read = Transport(rawValue: word) {
                transport = read
            } else if numbers == nil, word.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2d }) {
                guard let read = Self.numbers(word) else {
                    throw .badWord(word, expected: "numbers of queries, such as 2, 1-3 or 4-")
                }
                numbers = read
            } else if type == nil, let read = RecordType(word) {
                type = read
            } else if place == 0 {
                do {
                    name = try DomainName(word)
                } catch {
                    throw .badName(word, error)
                }
            } else {
                throw .badWord(
                    word, expected: "a record type, udp or tcp, numbers of queries, or an effect: \(Fault.Effect.words)"
                )
            }
        }
    }

    private static func numbers(_ word: String) -> ClosedRange<Int>? {
        let ends = word.split(separator: "-", omittingEmptySubsequences: false)
        guard let first = Int(ends[0]), first >= 1 else { return nil }
        switch ends.count {
        case 1: return first...first
        case 2 where ends[1].isEmpty: return first...Int.max
        case 2: return Int(ends[1]).flatMap { first <= $0 ? first...$0 : nil }
        default: return nil
        }
    }
}

extension Fault.Effect {
    fileprivate static let names = [
        "rcode", "drop", "delay", "truncate", "wrong-id", "answer", "mapped-aaaa", "cname-loop", "ttl", "ede",
    ]
    fileprivate static let words = names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]

    /// - Parameter data: the text behind the first argument.
    fileprivate init(name: String, arguments: [String], data: String) throws(FaultError) {
        func argument<Value>(_ expected: String, _ read: (String) -> Value?) throws(FaultError) -> Value {
            guard arguments.count == 1 else { throw .badWord(arguments.joined(separator: " "), expected: expected) }
            guard let value = read(arguments[0]) else { throw .badWord(arguments[0], expected: expected) }
            return value
        }
        func alone(_ effect: Self) throws(FaultError) -> Self {
            guard arguments.isEmpty else {
                throw .badWord(arguments.joined(separator: " "), expected: "nothing behind \(name)")
            }
            return effect
        }
        switch name {
        case "rcode": self = .responseCode(try argument("a response code, such as SERVFAIL") { ResponseCode($0) })
        case "drop": self = try alone(.drop)
        case "delay": self = .delay(try argument("a time, such as 300ms or 2s", Self.duration))
        case "truncate": self = try alone(.truncate)
        case "wrong-id": self = try alone(.wrongIdentifier)
        case "answer":
            guard let word = arguments.first, let type = RecordType(word) else {
                throw .badWord(arguments.first ?? "", expected: "a record type and its data, such as AAAA 100::1")
            }
            do {
                self = .answer([try RecordData(type: type, presentation: data)])
            } catch {
                throw .badData(error)
            }
        case "mapped-aaaa": self = try alone(.mappedAAAA)
        case "cname-loop": self = try alone(.aliasLoop)
        case "ttl": self = .ttl(try argument("a TTL in seconds") { UInt32($0) })
        case "ede":
            self = .extendedError(
                ExtendedError(infoCode: try argument("the number of an extended error") { UInt16($0) }))
        default: throw .noEffect
        }
    }

    private static func duration(_ word: String) -> Duration? {
        if word.hasSuffix("ms") { return UInt32(word.dropLast(2)).map { .milliseconds($0) } }
        return word.hasSuffix("s") ? UInt32(word.dropLast()).map { .seconds($0) } : nil
    }
}

// MARK: - Writing

extension Fault: CustomStringConvertible {
    /// The fault in the form in which it is read.
    package var description: String { "\(pattern) \(effect)" }
}

extension Fault.Pattern: CustomStringConvertible {
    package var description: String {
        // The final dot distinguishes a name from any other word.
        let words = [name?.description, type?.description, transport?.rawValue, numbers.map(Self.text)]
        let said = words.compactMap(\.self)
        return said.isEmpty ? "any" : said.joined(separator: " ")
    }

    private static func text(_ numbers: ClosedRange<Int>) -> String {
        if numbers.lowerBound == numbers.upperBound { return "\(numbers.lowerBound)" }
        return "\(numbers.lowerBound)-" + (numbers.upperBound == .max ? "" : "\(numbers.upperBound)")
    }
}

extension Fault.Effect: CustomStringConvertible {
    /// The effect in the form in which it is read, and in which evidence names it.
    package var description: String {
        switch self {
        case .responseCode(let code): "rcode \(code)"
        case .drop: "drop"
        case .delay(let time): "delay \(Self.text(time))"
        case .truncate: "truncate"
        case .wrongIdentifier: "wrong-id"
        case .answer(let data): "answer " + data.map { "\($0.type) \($0)" }.joined(separator: ", ")
        case .mappedAAAA: "mapped-aaaa"
        case .aliasLoop: "cname-loop"
        case .ttl(let seconds): "ttl \(seconds)"
        case .extendedError(let error): "ede \(error.infoCode)"
        }
    }

    private static func text(_ time: Duration) -> String {
        let (seconds, attoseconds) = time.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        return milliseconds % 1000 == 0 ? "\(seconds)s" : "\(milliseconds)ms"
    }
}
