// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The identity of the file at a path, so that no file is overwritten that is still to be read.
struct PathTarget: Hashable {
    private let device: dev_t
    private let inode: ino_t

    /// `nil` if there is no regular file: pipes and devices can be read and written at once.
    init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        device = status.st_dev
        inode = status.st_ino
    }

    static func refuseSame(_ paths: [String]) throws(TranslatorError) {
        let paths = paths.filter { $0 != StandardStream.name }
        for (index, path) in paths.enumerated() {
            for other in paths[..<index] {
                let isMissing = unsafe access(path, F_OK) != 0
                let isSame = isMissing ? path == other : PathTarget(path).map { $0 == PathTarget(other) } ?? false
                if isSame {
                    throw TranslatorError(path: path, reason: "this is \(other) as well; give another file")
                }
            }
        }
    }
}
