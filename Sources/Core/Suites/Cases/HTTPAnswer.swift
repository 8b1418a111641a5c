// SPDX-License-Identifier: Apache-2.0
/// An answer over HTTP/1.x, as far as it has come.
package struct HTTPAnswer: Hashable, Sendable {
    package let status: Int
    package let body: [UInt8]
    /// Whether its end is known and has come; an answer without a length ends with the connection.
    package let isComplete: Bool

    /// `nil` if its head is not there, or is none.
    package init?(_ octets: [UInt8]) {
        guard let end = octets.firstRange(of: [13, 10, 13, 10]) else { return nil }
        let lines = String(decoding: octets[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        guard let first = lines.first?.split(separator: " "), first.count >= 2, first[0].hasPrefix("HTTP/1."),
            first[1].utf8.count == 3, let status = Int(first[1]), (100...599).contains(status)
        else { return nil }
        self.status = status
        let rest = Array(octets[end.upperBound...])
        func field(_ name: String) -> String? {
            for line in lines.dropFirst() {
                let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                if parts.count == 2, parts[0].lowercased() == name {
                    return String(parts[1].drop { $0 == " " }.prefix { $0 != " " }).lowercased()
                }
            }
            return nil
        }
        if field("transfer-encoding") == "chunked" {
            (body, isComplete) = Self.joined(rest)
        } else if let length = field("content-length").flatMap({ Int($0) }), length >= 0 {
            (body, isComplete) = (Array(rest.prefix(length)), rest.count >= length)
        } else {
            (body, isComplete) = (rest, status == 204 || status == 304)
        }
    }

    /// What is in the chunks that have come whole, and whether the last one has.
    private static func joined(_ octets: [UInt8]) -> ([UInt8], Bool) {
        var body: [UInt8] = []
        var rest = octets[...]
        while let end = rest.firstRange(of: [13, 10]) {
            let digits = rest[..<end.lowerBound].prefix { $0 != UInt8(ascii: ";") }
            guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size >= 0 else {
                return (body, false)
            }
            if size == 0 { return (body, true) }
            let chunk = rest[end.upperBound...]
            guard chunk.count >= 2, size <= chunk.count - 2 else { return (body + chunk.prefix(size), false) }
            body += chunk.prefix(size)
            rest = chunk.dropFirst(size + 2)
        }
        return (body, false)
    }
}
