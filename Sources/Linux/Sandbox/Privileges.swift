// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
internal import LinuxNet

extension Executable {
    /// Whether executing the file gives rights that this process does not have: set-user-ID or set-group-ID for another user, or file
    /// capabilities. The dynamic loader then ignores environment variables that control it.
    ///
    /// A user or group without a number in this user namespace cannot be assumed, and a file's capabilities are those of its
    /// namespace's root (capabilities(7)); so in a namespace of one's own none of these has an effect.
    package static func givesPrivileges(_ path: OSString) -> Bool {
        unsafe withCStrings([path]) { strings in
            var status = stat()
            guard unsafe stat(strings[0]!, &status) == 0 else { return false }
            let setsUser = status.st_mode & S_ISUID != 0 && status.st_uid != geteuid()
            // Without the group's execute bit, S_ISGID asks for mandatory locks.
            let setsGroup = status.st_mode & (S_ISGID | S_IXGRP) == S_ISGID | S_IXGRP && status.st_gid != getegid()
            let hasCapabilities = unsafe geteuid() != 0 && clinux_has_file_capabilities(strings[0]!)
            return setsUser && isMapped(status.st_uid, in: "/proc/self/uid_map")
                || setsGroup && isMapped(status.st_gid, in: "/proc/self/gid_map")
                || hasCapabilities && isMapped(0, in: "/proc/self/uid_map")
        }
    }

    /// Whether the id is mapped in this user namespace.
    private static func isMapped(_ id: UInt32, in map: String) -> Bool {
        guard let lines = SystemControl.read(map)?.split(separator: "\n") else { return true }
        return lines.contains { line in
            let numbers = line.split(separator: " ").compactMap { UInt64($0) }
            return numbers.count == 3 && numbers[0] <= UInt64(id) && UInt64(id) - numbers[0] < numbers[2]
        }
    }
}
