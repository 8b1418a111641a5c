// SPDX-License-Identifier: Apache-2.0
import CExpat

/// The elements of an XML document, one after the other, as found by expat.
///
/// A document type is not accepted: no test runner writes one, and its entities would let a small document expand to a large one. The
/// document is parsed in one piece, in a time that is linear in its length.
enum XMLElements {
    enum Event {
        case start(String, attributes: [String: String])
        case end
        case text(String)
    }

    enum Problem: Error, Equatable {
        case documentType
        case tooDeep
        /// It ends before it is complete.
        case cutOff
        case malformed(String, line: Int)
    }

    private static let depthLimit = 64
    /// Maximum octets of an attribute that are passed on.
    private static let valueLimit = 16_384

    static func parse(_ octets: [UInt8], _ take: (Event) -> Void) throws(Problem) {
        guard let parser = unsafe XML_ParserCreate(nil) else {
            throw .malformed("no memory for a parser", line: 0)
        }
        defer { unsafe XML_ParserFree(parser) }
        let failure: Problem? = withoutActuallyEscaping(take) { take in
            let state = unsafe State(take, parser)
            return withExtendedLifetime(state) { () -> Problem? in
                unsafe XML_SetUserData(parser, Unmanaged.passUnretained(state).toOpaque())
                unsafe XML_SetElementHandler(
                    parser, { unsafe State.of($0).start($1, $2) }, { data, _ in unsafe State.of(data).end() })
                unsafe XML_SetCharacterDataHandler(parser) { unsafe State.of($0).text($1, $2) }
                unsafe XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
                    unsafe State.of(data).stop(.documentType)
                }
                let status = unsafe octets.withUnsafeBytes {
                    unsafe XML_Parse(
                        parser, $0.assumingMemoryBound(to: CChar.self).baseAddress, Int32(clamping: $0.count), 1)
                }
                if let problem = state.problem { return problem }
                if status == XML_STATUS_OK { return nil }
                let error = unsafe XML_GetErrorCode(parser)
                // Any error at the very end means that the document is incomplete.
                if unsafe error == XML_ERROR_NO_ELEMENTS || XML_GetCurrentByteIndex(parser) >= octets.count
                    || error == XML_ERROR_UNCLOSED_TOKEN || error == XML_ERROR_PARTIAL_CHAR
                {
                    return .cutOff
                }
                let text = unsafe XML_ErrorString(error).map { unsafe String(cString: $0) } ?? "unknown"
                return .malformed(text, line: unsafe Int(clamping: XML_GetCurrentLineNumber(parser)))
            }
        }
        if let failure { throw failure }
    }

    /// The state that the handlers share during a parse.
    @safe
    private final class State {
        private let take: (Event) -> Void
        private let parser: XML_Parser
        private var depth = 0
        private(set) var problem: Problem?

        init(_ take: @escaping (Event) -> Void, _ parser: XML_Parser) {
            self.take = take
            unsafe self.parser = parser
        }

        static func of(_ data: UnsafeMutableRawPointer?) -> State {
            unsafe Unmanaged<State>.fromOpaque(data!).takeUnretainedValue()
        }

        /// No further handler is called afterwards.
        func stop(_ problem: Problem) {
            self.problem = self.problem ?? problem
            _ = unsafe XML_StopParser(parser, 0)
        }

        func start(_ name: UnsafePointer<CChar>?, _ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
            depth += 1
            if depth > XMLElements.depthLimit { return stop(.tooDeep) }
            var attributes: [String: String] = [:]
            if var next = unsafe list {
                while let key = unsafe next[0], let value = unsafe next[1] {
                    let text = unsafe String(cString: value)
                    unsafe attributes[String(cString: key)] = TestResults.start(
                        of: text, octets: XMLElements.valueLimit)
                    unsafe next += 2
                }
            }
            take(.start(unsafe name.map { unsafe String(cString: $0) } ?? "", attributes: attributes))
        }

        func end() {
            depth -= 1
            take(.end)
        }

        func text(_ octets: UnsafePointer<CChar>?, _ count: Int32) {
            guard let octets = unsafe octets else { return }
            let bytes = unsafe UnsafeRawBufferPointer(start: octets, count: Int(count))
            take(.text(unsafe String(decoding: bytes, as: UTF8.self)))
        }
    }
}
