// SPDX-License-Identifier: Apache-2.0
/// The lines of an untrusted text: invalid UTF-8 becomes U+FFFD, and long lines are cut.
func forEachLine(of octets: [UInt8], _ body: (Substring) -> Void) {
    let lengthLimit = 1 << 16
    var start = 0
    while start < octets.count {
        let end = octets[start...].firstIndex(of: UInt8(ascii: "\n")) ?? octets.count
        var line = octets[start..<end]
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        body(String(decoding: line.prefix(lengthLimit), as: UTF8.self)[...])
        start = end + 1
    }
}
