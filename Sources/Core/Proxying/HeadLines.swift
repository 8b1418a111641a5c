// SPDX-License-Identifier: Apache-2.0
/// Finds the lines of a request's head while it arrives: each octet is examined once.
struct HeadLines {
    /// The request line, and more fields than any legitimate client sends.
    private static let limit = 257

    /// The range of each line, without its end.
    private(set) var ranges: [Range<Int>] = []
    private var start = 0
    private var place = 0

    /// - Parameter octets: those of the last call, and those that have arrived since.
    /// - Returns: the end of the head, after its empty line; `nil` until that has arrived.
    mutating func find(in octets: [UInt8]) throws(HeadProblem) -> Int? {
        while place < octets.count {
            guard place < ProxyHandshake.longestHead else { throw .tooLarge }
            let octet = octets[place]
            place += 1
            guard octet == UInt8(ascii: "\n") else { continue }
            // RFC 9112 §2.2: "a recipient MAY recognize a single LF as a line terminator and ignore any preceding CR".
            let hasReturn = place - 1 > start && octets[place - 2] == UInt8(ascii: "\r")
            let line = start..<(place - (hasReturn ? 2 : 1))
            start = place
            if !line.isEmpty {
                guard ranges.count < Self.limit else { throw .tooLarge }
                ranges.append(line)
            } else if !ranges.isEmpty {
                return place
            }
            // Empty lines before the request are ignored (§2.2).
        }
        return nil
    }
}
