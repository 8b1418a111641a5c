// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The path without symbolic links and dots; `nil` if there is no such file.
package func realPath(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
}
