// SPDX-License-Identifier: Apache-2.0
extension String {
    /// Whether the text contains the octets of `part`. Many times as fast as `contains`, which compares characters: for what is asked of
    /// each frame of each call.
    package func hasOctets(of part: String) -> Bool {
        let (text, part) = (utf8.span, part.utf8.span)
        if part.isEmpty { return true }
        var start = 0
        while start + part.count <= text.count {
            var length = 0
            while length < part.count, text[start + length] == part[length] { length += 1 }
            if length == part.count { return true }
            start += 1
        }
        return false
    }
}
