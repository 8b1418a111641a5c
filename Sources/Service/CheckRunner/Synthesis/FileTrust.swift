// SPDX-License-Identifier: Apache-2.0
import Glibc
import Sandbox

/// Decides whether a file can be loaded into the caller's programs: no other user may have put it there, or be able to change it.
struct FileTrust {
    /// Root, the caller, and the owner of the executable: that user's program runs as the caller already.
    private let users: Set<uid_t>

    init() {
        var users: Set<uid_t> = [0, geteuid()]
        if let own = FileBytes(path: "/proc/self/exe")?.status() { users.insert(own.st_uid) }
        self.users = users
    }

    /// Why the file is not to be trusted, as a sentence without its full stop; `nil` if it is trusted.
    func objection(to file: borrowing FileBytes, at path: String) -> String? {
        guard let status = file.status() else { return "\(path) cannot be looked at" }
        if let objection = objection(to: status, at: path) { return objection }
        if status.st_mode & Self.writableByOthers != 0 {
            return "\(path) can be written to by other users (chmod go-w \(path))"
        }
        guard let slash = path.lastIndex(of: "/") else { return nil }
        let folder = String(path[..<slash])
        var folderStatus = stat()
        guard unsafe stat(folder, &folderStatus) == 0 else { return "\(folder) cannot be looked at" }
        if let objection = objection(to: folderStatus, at: folder) { return objection }
        // In a sticky folder, such as /tmp, users cannot replace the files of others, and this file's owner has been checked.
        if folderStatus.st_mode & Self.writableByOthers != 0, folderStatus.st_mode & S_ISVTX == 0 {
            return "\(folder) can be written to by other users (chmod go-w \(folder))"
        }
        return nil
    }

    private static let writableByOthers = S_IWGRP | S_IWOTH

    private func objection(to status: stat, at path: String) -> String? {
        if users.contains(status.st_uid) { return nil }
        return "\(path) belongs to user \(status.st_uid), who is neither root nor you"
    }
}
