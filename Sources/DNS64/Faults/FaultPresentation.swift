public import DNSWire

// Faults as text, one a line: NAME TYPE TRANSPORT NUMBERS EFFECT [ARGUMENT], where `any` stands for what does not matter.
//
//     *.shop.test AAAA any any   drop
//     shop.test   any  udp 1-2   rcode SERVFAIL
//     shop.test   A    any any   delay 300ms

/// Why a text is no fault, and what would be one.
public enum FaultError: Error, Equatable, Sendable {
    case tooFewWords
    case badWord(String, expected: String)
    case badName(String, DomainNameError)
    case badData(PresentationError)
}

extension FaultError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooFewWords:
            "a fault is NAME TYPE TRANSPORT NUMBERS EFFECT, such as: *.shop.test AAAA any any rcode SERVFAIL"
        case .badWord(let word, let expected): "\"\(word)\" does not belong into a fault: expected \(expected)"
        case .badName(let name, let error): "\"\(name)\" is no domain name: \(error)"
        case .badData(let error): "\(error)"
        }
    }
}

extension Fault {
    public init(presentation text: some StringProtocol) throws(FaultError) {
        let words = text.split(separator: " ").map { String($0) }
        guard words.count >= 5 else { throw .tooFewWords }
        var pattern = Pattern()
        if words[0] != "any" {
            do {
                pattern.name = try DomainName(words[0])
            } catch {
                throw .badName(words[0], error)
            }
        }
        pattern.type = try Self.unless(words[1], "a record type, such as AAAA") { RecordType($0) }
        pattern.transport = try Self.unless(words[2], "udp or tcp") { Transport(rawValue: $0) }
        pattern.numbers = try Self.unless(words[3], "numbers of queries, such as 2 or 1-3", Self.numbers)
        self.init(pattern, try Effect(name: words[4], arguments: Array(words[5...])))
    }

    /// Nil for `any`, else what `read` makes of the word.
    private static func unless<Value>(
        _ word: String, _ expected: String, _ read: (String) -> Value?
    ) throws(FaultError) -> Value? {
        if word == "any" { return nil }
        guard let value = read(word) else { throw .badWord(word, expected: expected) }
        return value
    }

    private static func numbers(_ word: String) -> ClosedRange<Int>? {
        let ends = word.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1], first >= 1,
            first <= last
        else { return nil }
        return first...last
    }
}

extension Fault.Effect {
    fileprivate init(name: String, arguments: [String]) throws(FaultError) {
        func argument<Value>(_ expected: String, _ read: (String) -> Value?) throws(FaultError) -> Value {
            guard arguments.count == 1 else { throw .badWord(arguments.joined(separator: " "), expected: expected) }
            guard let value = read(arguments[0]) else { throw .badWord(arguments[0], expected: expected) }
            return value
        }
        switch name {
        case "rcode": self = .responseCode(try argument("a response code, such as SERVFAIL") { ResponseCode($0) })
        case "drop": self = .drop
        case "delay": self = .delay(try argument("a time, such as 300ms or 2s", Self.duration))
        case "truncate": self = .truncate
        case "wrong-id": self = .wrongIdentifier
        case "answer":
            guard let word = arguments.first, let type = RecordType(word) else {
                throw .badWord(arguments.first ?? "", expected: "a record type and its data, such as AAAA 100::1")
            }
            do {
                self = .answer([try RecordData(type: type, presentation: arguments.dropFirst().joined(separator: " "))])
            } catch {
                throw .badData(error)
            }
        case "mapped-aaaa": self = .mappedAAAA
        case "cname-loop": self = .aliasLoop
        case "ttl": self = .ttl(try argument("a TTL in seconds") { UInt32($0) })
        case "ede":
            self = .extendedError(
                ExtendedError(infoCode: try argument("the number of an extended error") { UInt16($0) }))
        default:
            throw .badWord(
                name,
                expected: "rcode, drop, delay, truncate, wrong-id, answer, mapped-aaaa, cname-loop, ttl or ede")
        }
    }

    private static func duration(_ word: String) -> Duration? {
        if word.hasSuffix("ms") { return UInt32(word.dropLast(2)).map { .milliseconds($0) } }
        return word.hasSuffix("s") ? UInt32(word.dropLast()).map { .seconds($0) } : nil
    }
}
