// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import LinuxNet

/// Finds a program as a shell does.
package enum Executable {
    /// The path of the program that the first word of a command names.
    ///
    /// A word with a slash is a path. Any other is searched for in the folders of PATH. EACCES: there is such a file, but it is not
    /// executable, or not for this user; EISDIR: a path refers to a directory; ENOENT: there is no such file.
    package static func find(_ name: OSString, path: OSString?) -> Result<OSString, Errno> {
        let slash = UInt8(ascii: "/")
        if name.bytes.isEmpty { return .failure(.ENOENT) }
        if name.bytes.contains(slash) {
            if let reason = refusal(of: name) { return .failure(reason) }
            return .success(name)
        }
        var reason = Errno.ENOENT
        // The C library's default if there is no PATH.
        let folders = (path ?? "/bin:/usr/bin").bytes.split(
            separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        for folder in folders {
            // An empty entry is the working directory.
            let candidate = OSString((folder.isEmpty ? [UInt8(ascii: ".")] : Array(folder)) + [slash] + name.bytes)
            guard let refused = refusal(of: candidate) else { return .success(candidate) }
            // A folder that this user may not search is skipped: its contents are unknown.
            if refused == .EACCES, exists(candidate) { reason = refused }
        }
        return .failure(reason)
    }

    private static func exists(_ path: OSString) -> Bool {
        unsafe withCStrings([path]) { strings in
            var status = stat()
            return unsafe stat(strings[0]!, &status) == 0
        }
    }

    /// Why the kernel would refuse to execute the file, as far as that can be determined; `nil` if it would not.
    private static func refusal(of path: OSString) -> Errno? {
        unsafe withCStrings([path]) { strings in
            var status = stat()
            if unsafe stat(strings[0]!, &status) != 0 { return Errno(errno) }
            if status.st_mode & S_IFMT == S_IFDIR { return .EISDIR }
            if status.st_mode & S_IFMT != S_IFREG { return .EACCES }
            return unsafe faccessat(AT_FDCWD, strings[0]!, X_OK, AT_EACCESS) == 0 ? nil : Errno(errno)
        }
    }
}
