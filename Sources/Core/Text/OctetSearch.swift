// SPDX-License-Identifier: Apache-2.0
extension String {
    /// Whether the text contains the octets of `part`. Many times as fast as `contains`, which compares characters: for what is asked of
    /// each frame of each call.
    package func hasOctets(of part: String) -> Bool { utf8.span.offset(of: part.utf8.span) != nil }
}

extension Span<UInt8> {
    /// The offset at which `part` begins, at `start` or after it; `nil` if it is not there.
    package func offset(of part: Span<UInt8>, from start: Int = 0) -> Int? {
        var start = start
        while start + part.count <= count {
            var length = 0
            while length < part.count, self[start + length] == part[length] { length += 1 }
            if length == part.count { return start }
            start += 1
        }
        return nil
    }
}
