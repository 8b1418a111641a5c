/// The records of a zone file in presentation format (RFC 1035 §5): $ORIGIN, $TTL (RFC 2308 §4), names left out, and
/// records spread over lines. $INCLUDE is refused, because reading files is not this target's business.
public struct ZoneFile: Sendable {
    public private(set) var records: [ResourceRecord] = []
    /// Where each of them begins.
    public private(set) var lines: [Int] = []

    /// Where and why a text is no zone file.
    public struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        public var line: Int
        public var reason: PresentationError

        public var description: String { "line \(line): \(reason)" }
    }

    /// Names without a final dot continue with `origin`. A record without a TTL has that of $TTL, else of the record before
    /// (RFC 1035 §5.1), else `defaultTTL`.
    public init(
        _ text: some StringProtocol, origin: DomainName = .root, defaultTTL: UInt32 = 3600
    ) throws(Failure) {
        var scanner = PresentationScanner(text)
        var origin = origin
        var defaultTTL = defaultTTL
        var hasTTLDirective = false
        while let entry = try Self.next(&scanner) {
            do throws(PresentationError) {
                if let word = entry.tokens.first, !word.isQuoted, word.text.first == UInt8(ascii: "$") {
                    switch try Self.directive(entry, origin: origin) {
                    case .origin(let name): origin = name
                    case .ttl(let seconds):
                        defaultTTL = seconds
                        hasTTLDirective = true
                    }
                } else {
                    let record = try ResourceRecord(
                        entry: entry, previousName: records.last?.name, defaultTTL: defaultTTL, origin: origin)
                    if !hasTTLDirective { defaultTTL = record.ttl }
                    records.append(record)
                    lines.append(entry.line)
                }
            } catch {
                throw Failure(line: entry.line, reason: error)
            }
        }
    }

    private static func next(_ scanner: inout PresentationScanner) throws(Failure) -> PresentationEntry? {
        do {
            return try scanner.nextEntry()
        } catch {
            throw Failure(line: scanner.line, reason: error)
        }
    }

    private enum Directive {
        case origin(DomainName)
        case ttl(UInt32)
    }

    private static func directive(
        _ entry: PresentationEntry, origin: DomainName
    ) throws(PresentationError) -> Directive {
        let words = entry.tokens
        if words.count == 2 {
            switch words[0].string.uppercased() {
            case "$ORIGIN": return .origin(try DomainName(token: words[1], origin: origin))
            case "$TTL":
                if let seconds = PresentationTime.ttl(words[1].string) { return .ttl(seconds) }
            default: break
            }
        }
        throw .badDirective(words.map(\.string).joined(separator: " "))
    }
}
