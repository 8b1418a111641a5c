// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// A file that is written whole or not at all. A pipe, a terminal or a device of that name is written to directly. A symbolic link stays one:
/// the file that it leads to is replaced.
///
/// The contents have no name until they are complete (O_TMPFILE), so a process that is killed leaves nothing behind. If a file of
/// that name exists, or the file system lacks O_TMPFILE, there is briefly a temporary file beside it.
///
///     open ──► commit
package struct AtomicFile: ~Copyable {
    private let path: String
    private let target: Target
    private let file: Descriptor

    private enum Target {
        case stream
        /// A file without a name, in the directory of `path`.
        case unnamed
        /// A temporary file beside `path`, with this name.
        case named(String)
    }

    /// Opens the file. Reports any problem with the path before anything has changed.
    package static func open(_ path: String) throws(SystemError) -> AtomicFile {
        var status = stat()
        let isThere = unsafe stat(path, &status) == 0
        if isThere && status.st_mode & S_IFMT != S_IFREG {
            return AtomicFile(path: path, target: .stream, file: try Descriptor.open(path, flags: O_WRONLY))
        }
        if isThere, unsafe access(path, W_OK) != 0 { throw .last("access", what: path) }
        let path = isThere ? realPath(path) ?? path : path
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let unnamed = retrying { unsafe clinux_unnamed_file(folder) }
        if unnamed >= 0 { return AtomicFile(path: path, target: .unnamed, file: Descriptor(owning: unnamed)) }
        guard errno == EOPNOTSUPP || errno == EISDIR else { throw .last("open", what: path) }
        let name = partialName(path)
        return AtomicFile(path: path, target: .named(name), file: try Descriptor.create(name))
    }

    private init(path: String, target: Target, file: consuming Descriptor) {
        self.path = path
        self.target = target
        self.file = file
    }

    private static func partialName(_ path: String) -> String { "\(path).\(getpid()).partial" }

    deinit {
        // Already gone if it was renamed to its final name.
        if case .named(let name) = target { _ = unsafe unlink(name) }
    }

    /// Writes the contents, and gives the file its name.
    package consuming func commit(_ contents: [UInt8]) throws(SystemError) {
        try file.write(contents, path: path)
        switch target {
        case .stream: return
        case .named(let name): try Self.rename(name, path)
        case .unnamed:
            if link(to: path) { return }
            let name = Self.partialName(path)
            guard errno == EEXIST, link(to: name) else { throw .last("linkat", what: path) }
            do throws(SystemError) {
                try Self.rename(name, path)
            } catch {
                _ = unsafe unlink(name)
                throw error
            }
        }
    }

    private borrowing func link(to path: String) -> Bool {
        unsafe linkat(AT_FDCWD, "/proc/self/fd/\(file.number)", AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
    }

    private static func rename(_ name: String, _ path: String) throws(SystemError) {
        if unsafe Glibc.rename(name, path) != 0 { throw .last("rename", what: path) }
    }
}
