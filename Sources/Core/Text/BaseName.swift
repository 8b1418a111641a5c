// SPDX-License-Identifier: Apache-2.0
/// The part of a path after its last slash, as with basename(1).
package func baseName(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

/// The folder of an absolute path without a slash at its end, as with dirname(1).
package func parentFolder(_ path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
}
