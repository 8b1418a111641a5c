// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Standard output of this process, which the client's first run has as well.
enum StandardOutput {
    /// Whether it was closed when this process was started: what was put in its place (`Inheritance`) is closed by execve, unlike any inherited
    /// descriptor.
    static var isClosed: Bool { fcntl(STDOUT_FILENO, F_GETFD) & FD_CLOEXEC != 0 }

    /// Why nothing can be written to it, as part of a sentence; `nil` if that is not known.
    static var obstacle: String? {
        if isClosed { return "is closed" }
        var status = stat()
        guard unsafe fstat(STDOUT_FILENO, &status) == 0 else { return nil }
        let isFull =
            switch status.st_mode & S_IFMT {
            case S_IFCHR: status.st_rdev == fullDevice
            case S_IFREG: isFileSystemFull
            default: false
            }
        return isFull ? "is full" : nil
    }

    /// The device number of /dev/full, 1:7 (linux/major.h, drivers/char/mem.c).
    private static let fullDevice: dev_t = 1 << 8 | 7

    private static var isFileSystemFull: Bool {
        var system = statvfs()
        return unsafe fstatvfs(STDOUT_FILENO, &system) == 0 && system.f_bavail == 0
    }
}
