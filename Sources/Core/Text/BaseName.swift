// SPDX-License-Identifier: Apache-2.0
/// What stands behind the last slash of a path, as basename(1) has it.
package func baseName(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

/// The folder of an absolute path that has no slash at its end, as dirname(1) says it.
package func parentFolder(_ path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
}
