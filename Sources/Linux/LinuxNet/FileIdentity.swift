// SPDX-License-Identifier: Apache-2.0
package import Glibc

/// Identifies a file and its version, regardless of its name.
package struct FileIdentity: Hashable, Sendable {
    package var device: UInt64
    package var inode: UInt64
    /// When its contents, its owner or its permissions last changed, in nanoseconds since 1970.
    package var changed: Int64

    package init(device: UInt64, inode: UInt64, changed: Int64) {
        self.device = device
        self.inode = inode
        self.changed = changed
    }

    package init(_ status: stat) {
        self.init(
            device: UInt64(status.st_dev), inode: UInt64(status.st_ino),
            changed: Int64(status.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_ctim.tv_nsec))
    }
}
