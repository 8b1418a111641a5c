// SPDX-License-Identifier: Apache-2.0
/// The records of a zone file in presentation format (RFC 1035 §5): with $ORIGIN, $TTL (RFC 2308 §4), omitted names, and records that span
/// lines. $INCLUDE is refused, because this target does not read files.
public struct ZoneFile: Sendable {
    public private(set) var records: [ResourceRecord] = []
    /// The line at which each record begins.
    public private(set) var lines: [Int] = []

    /// The position and reason of an error in a zone file.
    public struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        public var line: Int
        public var reason: PresentationError

        public var description: String { "line \(line): \(reason)" }
    }

    /// The errors in the text, in order; such records are left out.
    public private(set) var failures: [Failure] = []

    /// Names without a final dot are relative to `origin`. A record without a TTL has that of $TTL, otherwise that of the previous record
    /// (RFC 1035 §5.1), otherwise `defaultTTL`. Throws the first error.
    public init(
        _ text: some StringProtocol, origin: DomainName = .root, defaultTTL: UInt32 = 3600
    ) throws(Failure) {
        self.init(reading: text, origin: origin, defaultTTL: defaultTTL, maximumFailures: 1)
        if let failure = failures.first { throw failure }
    }

    /// Likewise, but continues after an error to find the others, at most `maximumFailures` of them.
    public init(
        reading text: some StringProtocol, origin: DomainName = .root, defaultTTL: UInt32 = 3600, maximumFailures: Int
    ) {
        var scanner = PresentationScanner(text)
        var reader = Reader(origin: origin, defaultTTL: defaultTTL)
        while failures.count < maximumFailures {
            do throws(PresentationError) {
                guard let entry = try scanner.nextEntry() else { return }
                do throws(PresentationError) {
                    guard let record = try reader.read(entry) else { continue }
                    records.append(record)
                    lines.append(entry.line)
                } catch {
                    failures.append(Failure(line: entry.line, reason: error))
                }
            } catch {
                failures.append(Failure(line: scanner.line, reason: error))
                scanner.skipEntry()
                reader.previousName = .unreadable
            }
        }
    }

    /// The state that an entry inherits from the entries before it.
    private struct Reader {
        enum PreviousName {
            case none
            case known(DomainName)
            /// It was in an invalid entry.
            case unreadable
        }

        var origin: DomainName
        var defaultTTL: UInt32
        var hasTTLDirective = false
        var previousName = PreviousName.none

        init(origin: DomainName, defaultTTL: UInt32) {
            self.origin = origin
            self.defaultTTL = defaultTTL
        }

        /// `nil` for a directive, and for a record whose name is not known.
        mutating func read(_ entry: PresentationEntry) throws(PresentationError) -> ResourceRecord? {
            if let word = entry.tokens.first, !word.isQuoted, word.text.first == UInt8(ascii: "$") {
                switch try ZoneFile.directive(entry, origin: origin) {
                case .origin(let name): origin = name
                case .ttl(let seconds):
                    defaultTTL = seconds
                    hasTTLDirective = true
                }
                return nil
            }
            var name: DomainName?
            if case .known(let known) = previousName { name = known }
            if entry.startsWithBlank, case .unreadable = previousName { return nil }
            if !entry.startsWithBlank, let token = entry.tokens.first {
                previousName = (try? DomainName(token: token, origin: origin)).map { .known($0) } ?? .unreadable
            }
            let record = try ResourceRecord(
                entry: entry, previousName: name, defaultTTL: defaultTTL, origin: origin)
            previousName = .known(record.name)
            if !hasTTLDirective { defaultTTL = record.ttl }
            return record
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
