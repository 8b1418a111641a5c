// SPDX-License-Identifier: Apache-2.0
import Evidence

/// The answers of an HTTP/1 connection, as far as they are known: the request, the beginning and the octets of the body of each.
struct HTTPAnswers {
    struct Answer {
        var request: ReceivedLocation.Request?
        /// From the status line to the empty line, inclusive.
        var head: Range<Int>
        /// The position of each octet of the body; chunked transfer coding is removed.
        var body: [Int]
    }

    private(set) var answers: [Answer] = []

    /// Longer texts are no field names.
    private static let fieldLimit = 40

    /// There are no answers if it is not HTTP.
    init(sent: [UInt8], received: [UInt8]) {
        let requests = Self.requests(sent)
        var position = 0
        while position < received.count, received[position...].starts(with: "HTTP/1.".utf8) {
            guard let end = Self.headEnd(received, from: position) else { break }
            let head = position..<end
            let (body, next) = Self.body(received, head)
            // 100 Continue is not the final answer.
            let isInterim = received[head].dropFirst(9).first == UInt8(ascii: "1")
            let answered = answers.count
            if !isInterim {
                answers.append(
                    Answer(
                        request: requests.indices.contains(answered) ? requests[answered] : nil, head: head,
                        body: body))
            }
            guard next > position else { break }
            position = next
        }
    }

    /// The requests in order; a truncated one is the last.
    static func requests(_ sent: [UInt8]) -> [ReceivedLocation.Request] {
        var requests: [ReceivedLocation.Request] = []
        var position = 0
        while position < sent.count, let lineEnd = sent[position...].firstIndex(of: 10) {
            let words = sent[position..<lineEnd].split(separator: UInt8(ascii: " "))
            guard words.count == 3, words[2].starts(with: "HTTP/1.".utf8) else { break }
            var request = ReceivedLocation.Request(
                method: plain(words[0], limit: 16), target: plain(words[1], limit: 300))
            let end = headEnd(sent, from: position) ?? sent.count
            request.host = field("host", sent, position..<end).map { plain($0, limit: 255) }
            requests.append(request)
            let (_, next) = body(sent, position..<end)
            guard next > position else { break }
            position = next
        }
        return requests
    }

    /// The name of the field that contains an octet of a head.
    static func fieldName(at offset: Int, _ octets: [UInt8], _ head: Range<Int>) -> String? {
        let start = octets[head.lowerBound..<offset].lastIndex(of: 10).map { $0 + 1 } ?? head.lowerBound
        guard let colon = octets[start..<head.upperBound].firstIndex(of: UInt8(ascii: ":")), colon < offset,
            colon - start <= fieldLimit
        else { return nil }
        return plain(octets[start..<colon], limit: fieldLimit)
    }

    /// The position after the empty line.
    private static func headEnd(_ octets: [UInt8], from start: Int) -> Int? {
        var position = start
        while position < octets.count, let end = octets[position...].firstIndex(of: 10) {
            let line = octets[position..<end]
            if line.isEmpty || line.elementsEqual([13]) { return end + 1 }
            position = end + 1
        }
        return nil
    }

    private static func field(_ name: String, _ octets: [UInt8], _ head: Range<Int>) -> ArraySlice<UInt8>? {
        for line in octets[head].split(separator: 10) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                line[..<colon].lowercased.elementsEqual(name.utf8)
            else { continue }
            return line[(colon + 1)...].trimmed
        }
        return nil
    }

    /// The positions of the body's octets, and the beginning of the next message.
    private static func body(_ octets: [UInt8], _ head: Range<Int>) -> (body: [Int], next: Int) {
        let start = head.upperBound
        if let coding = field("transfer-encoding", octets, head), coding.lowercased.elementsEqual("chunked".utf8) {
            return chunks(octets, from: start)
        }
        let isAnswer = octets[head].starts(with: "HTTP/".utf8)
        guard let length = field("content-length", octets, head).flatMap({ Int(String(decoding: $0, as: UTF8.self)) }),
            length >= 0
        else { return isAnswer ? (Array(start..<octets.count), octets.count) : ([], start) }
        let end = start + min(length, octets.count - start)
        return (Array(start..<end), end)
    }

    private static func chunks(_ octets: [UInt8], from start: Int) -> (body: [Int], next: Int) {
        var body: [Int] = []
        var position = start
        while position < octets.count, let end = octets[position...].firstIndex(of: 10) {
            let digits = octets[position..<end].prefix { $0 != 13 && $0 != UInt8(ascii: ";") }
            guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size >= 0 else { break }
            // The last chunk, and an empty line.
            if size == 0 { return (body, min(octets.count, end + 3)) }
            let data = end + 1
            let dataEnd = data + min(size, octets.count - data)
            body += data..<dataEnd
            position = min(octets.count, dataEnd + 2)
        }
        return (body, octets.count)
    }
}

/// The printable characters of untrusted octets, up to a length.
func plain(_ octets: some Collection<UInt8>, limit: Int) -> String {
    String(decoding: octets.prefix(limit).map { (0x20...0x7e).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
}

extension ArraySlice<UInt8> {
    /// ASCII letters in lower case.
    var lowercased: [UInt8] { map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 } }

    /// Without blanks and carriage returns at the ends.
    var trimmed: ArraySlice<UInt8> {
        var rest = self
        while let first = rest.first, first == 32 || first == 9 { rest.removeFirst() }
        while let last = rest.last, last == 32 || last == 9 || last == 13 { rest.removeLast() }
        return rest
    }
}
