// SPDX-License-Identifier: Apache-2.0
import CYAML

/// The events of a YAML text in order, as libyaml returns them: `[` and `]`, `{` and `}`, scalars. The only file that uses libyaml.
///
/// Any octets result in an event or an error. libyaml reads as far ahead as its grammar requires, so a caller that stops early does not pay
/// for the rest.
@safe struct YAMLEvents: ~Copyable {
    struct Event {
        var kind: Kind
        var position: SourcePosition
    }

    enum Kind: Equatable {
        case documentStart
        case scalar(String)
        case listStart
        case mapStart
        /// The end of a list or a map.
        case end
        /// `*name`
        case alias
        /// There are no more events.
        case textEnd
    }

    /// The text is not YAML; the problem is in libyaml's words.
    struct Malformed: Error {
        enum Place {
            /// The offset of an octet that YAML does not permit.
            case offset(Int)
            /// The position at which the parser gave up, and the beginning of the token concerned, if libyaml reports it.
            case mark(SourcePosition, token: SourcePosition?)
        }

        var problem: String
        var place: Place
    }

    private let parser: UnsafeMutablePointer<yaml_parser_t>
    /// libyaml reads it in pieces, and keeps no copy.
    private let text: UnsafeMutableBufferPointer<UInt8>

    init(_ utf8: [UInt8]) {
        unsafe text = .allocate(capacity: utf8.count)
        _ = unsafe text.initialize(fromContentsOf: utf8)
        unsafe parser = .allocate(capacity: 1)
        let isReady = unsafe yaml_parser_initialize(parser) == 1
        precondition(isReady, "no memory for a YAML parser")
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(parser, text.baseAddress, text.count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe text.deallocate()
    }

    /// Must not be called after `textEnd` or an error.
    mutating func next() throws(Malformed) -> Event {
        while true {
            var event = unsafe yaml_event_t()
            guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw malformed }
            defer { unsafe yaml_event_delete(&event) }
            if let kind = unsafe Self.kind(of: event) {
                return Event(kind: kind, position: SourcePosition(unsafe event.start_mark))
            }
        }
    }

    /// `nil` if the event does not concern the contents.
    private static func kind(of event: yaml_event_t) -> Kind? {
        switch unsafe event.type {
        case YAML_DOCUMENT_START_EVENT: return .documentStart
        case YAML_SCALAR_EVENT:
            let scalar = unsafe event.data.scalar
            let octets = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            return .scalar(unsafe String(decoding: octets, as: UTF8.self))
        case YAML_SEQUENCE_START_EVENT: return .listStart
        case YAML_MAPPING_START_EVENT: return .mapStart
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return .end
        case YAML_ALIAS_EVENT: return .alias
        case YAML_STREAM_END_EVENT, YAML_NO_EVENT: return .textEnd
        default: return nil
        }
    }

    private var malformed: Malformed {
        let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "it cannot be parsed"
        guard unsafe parser.pointee.error != YAML_READER_ERROR else {
            return Malformed(problem: problem, place: .offset(Int(clamping: unsafe parser.pointee.problem_offset)))
        }
        let hasContext = unsafe parser.pointee.context != nil
        return Malformed(
            problem: problem,
            place: .mark(
                SourcePosition(unsafe parser.pointee.problem_mark),
                token: hasContext ? SourcePosition(unsafe parser.pointee.context_mark) : nil))
    }
}

extension SourcePosition {
    fileprivate init(_ mark: yaml_mark_t) {
        self.init(line: Int(clamping: mark.line) + 1, column: Int(clamping: mark.column) + 1)
    }
}
