// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// Shows the client its own links in /sys/class/net; a sysfs shows those of the network namespace in which it was mounted.
///
/// Only the two folders that differ are replaced, so that all other mounts below /sys, such as the control groups, stay. If a sysfs
/// cannot be mounted (in a container that hides parts of its own), the client sees the machine's links, as in other containers.
enum NetworkInSysfs {
    /// A link of a namespace of our own is virtual; `class/net` holds symbolic links to the other folder.
    private static let folders = ["/class/net", "/devices/virtual/net"]

    static func show() {
        guard folders.allSatisfy({ SystemControl.exists("/sys" + $0) }),
            let scratch = try? FileDisplay.place(apartFrom: [])
        else { return }
        if unsafe clinux_mount_sysfs(scratch) != 0 { return }
        for folder in folders { _ = unsafe clinux_mount_bind(scratch + folder, "/sys" + folder) }
        _ = unsafe clinux_detach_mount(scratch)
    }
}
