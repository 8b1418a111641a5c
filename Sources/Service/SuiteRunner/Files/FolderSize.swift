// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The space that a folder takes on its file system.
enum FolderSize {
    /// Limits of the search: a client may make more files, or deeper folders, which are not counted.
    private static let entryLimit = 100_000
    private static let depthLimit = 32

    /// Octets of all files, or more than `limit` if there are more.
    static func octets(of path: String, upTo limit: Int) -> Int {
        var size = 0
        var entries = 0
        let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        if folder >= 0 { add(folder, depth: 0, upTo: limit, to: &size, &entries) }
        return size
    }

    /// Takes ownership of the descriptor.
    private static func add(_ folder: Int32, depth: Int, upTo limit: Int, to size: inout Int, _ entries: inout Int) {
        guard let stream = unsafe fdopendir(folder) else {
            close(folder)
            return
        }
        defer { unsafe closedir(stream) }
        while size <= limit, entries < entryLimit, let entry = unsafe readdir(stream) {
            entries += 1
            unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { name in
                    if unsafe strcmp(name, ".") == 0 || strcmp(name, "..") == 0 { return }
                    var status = stat()
                    // Links are not followed: their targets are not in this folder.
                    guard unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return }
                    size += Int(status.st_blocks) * 512
                    guard status.st_mode & S_IFMT == S_IFDIR, depth < depthLimit else { return }
                    let inner = unsafe openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                    if inner >= 0 { add(inner, depth: depth + 1, upTo: limit, to: &size, &entries) }
                }
            }
        }
    }
}
