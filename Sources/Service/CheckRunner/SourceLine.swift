// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Glibc
import LinuxNet
import Text

/// A line of a source file that a client named. The client can name any file, so only a file with the name of source code is read, and no
/// link is followed: a line of a configuration file may be a secret, and reports are published.
/// - Parameters:
///   - folder: the base of a relative path; empty is the working directory.
///   - number: from 1.
/// - Returns: at most 200 characters, without the indent; `nil` if there is no such line.
package func sourceLine(_ file: String, _ number: Int, from folder: String = "") -> String? {
    guard number > 0, Language(file: file) != nil, !file.utf8.contains(0) else { return nil }
    let path = file.hasPrefix("/") || folder.isEmpty ? file : "\(folder)/\(file)"
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    guard let source = try? Descriptor.open(path, flags: flags), source.isRegularFile,
        let octets = try? source.contents(limit: 4 << 20, path: path)
    else { return nil }
    let lines = octets.split(separator: UInt8(ascii: "\n"), maxSplits: number, omittingEmptySubsequences: false)
    guard lines.indices.contains(number - 1) else { return nil }
    // Text beyond the limit becomes "…"; octets that are no text become visible replacements.
    let line = printable(String(decoding: lines[number - 1].prefix(1000), as: UTF8.self).trimmed)
    return line.isEmpty ? nil : line.count > 200 ? line.prefix(199) + "…" : line
}

extension String {
    fileprivate var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }
}
